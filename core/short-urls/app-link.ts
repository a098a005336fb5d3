import type { Apps } from './app-settings.ts';
import { appOf } from './app-settings.ts';
import { type Arrival, campaignOf, destinationOf, type RoutedLink } from './routing.ts';

/** What an app gets to know about a link. Unset values are null, and so are sections without any. */
export interface AppLink {
  readonly code: string;
  /** The short URL that the project shows of the link. */
  readonly shortUrl: string;
  /** The destination with the campaign and what arrived. */
  readonly link: string;
  readonly campaign: Readonly<Record<string, string>> | null;
  readonly android: { readonly package: string | null; readonly minVersion: string | null } | null;
  readonly ios: {
    readonly bundleId: string | null;
    readonly appStoreId: string | null;
    readonly minVersion: string | null;
  } | null;
  /** ISO 8601, UTC. */
  readonly expiresAt: string | null;
}

/** A live link as an app sees it. Undefined where its destination can't be opened. */
export const appLinkOf = (
  { code, link }: { readonly code: string; readonly link: RoutedLink },
  apps: Apps,
  { shown, ...arrival }: Omit<Arrival, 'visitor'> & { readonly shown: string },
): AppLink | undefined => {
  const destination = destinationOf(link, arrival);
  if (destination === undefined) return undefined;
  const android = appOf('android', link.payload, apps);
  const ios = appOf('ios', link.payload, apps);
  return {
    code,
    shortUrl: shown,
    link: destination,
    campaign: orNull(campaignOf(link)),
    android: orNull({ package: android.identifier ?? null, minVersion: android.minVersion ?? null }),
    ios: orNull({
      bundleId: ios.identifier ?? null,
      appStoreId: ios.storeId ?? null,
      minVersion: ios.minVersion ?? null,
    }),
    expiresAt: link.expiresAt ?? null,
  };
};

const orNull = <Section extends object>(section: Section): Section | null =>
  Object.values(section).some((value) => value !== null) ? section : null;

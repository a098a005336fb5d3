import type { Apps } from './app-settings.ts';
import { appOf } from './app-settings.ts';
import { type Arrival, campaignOf, destinationOf, type RoutedLink } from './routing.ts';

/**
 * The response of `link.json` for a live link: its short URL, and the destination with the campaign and the arriving
 * parameters. Unset values are null, as are sections without any. Undefined if the destination can't be opened.
 */
export const appLinkOf = (
  { code, link }: { readonly code: string; readonly link: RoutedLink },
  apps: Apps,
  { shown, ...arrival }: Omit<Arrival, 'visitor'> & { readonly shown: string },
) => {
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
    data: link.payload.data ?? null,
    expiresAt: link.expiresAt ?? null,
  };
};

const orNull = <Section extends object>(section: Section): Section | null =>
  Object.values(section).some((value) => value !== null) ? section : null;

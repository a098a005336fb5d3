import type * as z from 'zod';
import { Failure } from './failure.ts';
import type { LinkPayload } from './link.ts';
import type { linkChange, linkDraft } from './link-schema.ts';
import { type MobileApp, newMobileApp } from './mobile-app.ts';
import { parseHttpUrl } from './web-address.ts';

/** A payload as a request carries it: with what is to be saved, and in an update with nulls for what is to go. */
export type PayloadDraft = z.output<typeof linkDraft>['payload'] | z.output<typeof linkChange>['payload'];

/** A payload without what is only said once, and the apps that were to be saved with it. */
export interface SettledPayload<Draft> {
  readonly payload: Draft;
  readonly apps: readonly MobileApp[];
}

/**
 * Turns settings that are to be saved into apps that the payload references. Throws VALIDATION_ERROR where a payload
 * both names an app and saves one.
 */
export const settlePayload = <Draft extends PayloadDraft>(
  draft: Draft,
  newId: () => string,
  now: Date,
): SettledPayload<Draft> => {
  const android = draft.android?.saveApp
    ? newMobileApp(
        newId(),
        {
          platform: 'ANDROID',
          name: draft.android.appName ?? '',
          packageName: draft.android.package ?? null,
          playStoreFallback: draft.android.store_fallback ?? null,
          androidMinVersion: draft.android.min_version ?? null,
        },
        now,
      )
    : undefined;
  const ios = draft.ios?.saveApp
    ? newMobileApp(
        newId(),
        {
          platform: 'IOS',
          name: draft.ios.appName ?? '',
          bundleId: draft.ios.bundleId ?? null,
          appStoreFallback: draft.ios.app_store_fallback ?? null,
          appStoreId: draft.ios.app_store_id ?? null,
          iosMinVersion: draft.ios.min_version ?? null,
        },
        now,
      )
    : undefined;
  if (android && draft.androidAppId) throw oneOf('androidAppId', 'android.saveApp');
  if (ios && draft.iosAppId) throw oneOf('iosAppId', 'ios.saveApp');
  return {
    payload: {
      ...draft,
      ...(draft.android && { android: settings(draft.android) }),
      ...(draft.ios && { ios: settings(draft.ios) }),
      ...(android && { androidAppId: android.id }),
      ...(ios && { iosAppId: ios.id }),
    },
    apps: [android, ios].filter((app) => app !== undefined),
  };
};

const oneOf = (field: string, other: string) =>
  new Failure('VALIDATION_ERROR', `payload.${field}: can't be given together with payload.${other}`);

const settings = <Section extends object>({
  saveApp,
  appName,
  ...rest
}: Section & { saveApp?: unknown; appName?: unknown }) => rest;

/** The apps that a request names: they must exist, in the project and for the platform. */
export const namedApps = ({ iosAppId, androidAppId }: Pick<PayloadDraft, 'iosAppId' | 'androidAppId'>) =>
  [
    { field: 'iosAppId', platform: 'IOS', id: iosAppId },
    { field: 'androidAppId', platform: 'ANDROID', id: androidAppId },
  ].flatMap(({ field, platform, id }) => (typeof id === 'string' ? [{ field, platform, id }] : []));

/** Throws VALIDATION_ERROR for every named app that isn't the project's, or is one of the other platform. */
export const requireApps = async (
  draft: PayloadDraft,
  find: (id: string) => Promise<MobileApp | undefined>,
): Promise<void> => {
  const faults = await Promise.all(
    namedApps(draft).map(async ({ field, platform, id }) => {
      const app = await find(id);
      return app?.platform === platform ? [] : [`payload.${field}: is no ${platform} app of this project`];
    }),
  );
  if (faults.flat().length > 0) throw new Failure('VALIDATION_ERROR', faults.flat().join('; '));
};

/** Throws VALIDATION_ERROR for an address on the service's own short hosts: such a link would lead in a circle. */
export const refuseOwnHosts = (draft: PayloadDraft, hosts: readonly string[]): void => {
  const addresses: Record<string, string | null | undefined> = {
    link: draft.link,
    desktop_fallback: draft.desktop_fallback,
    'android.store_fallback': draft.android?.store_fallback,
    'ios.app_store_fallback': draft.ios?.app_store_fallback,
    'social.image': draft.social?.image,
  };
  const faults = Object.entries(addresses)
    .filter(([, address]) => address && hosts.includes(parseHttpUrl(address)?.host ?? ''))
    .map(([field]) => `payload.${field}: must not point to the short links themselves`);
  if (faults.length > 0) throw new Failure('VALIDATION_ERROR', faults.join('; '));
};

/** Throws VALIDATION_ERROR for an expiry that has passed already. */
export const requireFuture = (expiresAt: string | null | undefined, now: Date): void => {
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) {
    throw new Failure('VALIDATION_ERROR', 'expiresAt: must be in the future');
  }
};

/** A stored payload after a change: what was left out stays, null clears, a section that was given replaces its own. */
export const mergePayload = (stored: LinkPayload, change: PayloadDraft): LinkPayload => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as LinkPayload;
};

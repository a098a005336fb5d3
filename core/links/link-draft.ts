import type * as z from 'zod';
import { type MobileApp, newMobileApp } from '../apps/mobile-app.ts';
import { type Fault, refuseFaults } from '../failure.ts';
import { addressFaults } from '../short-urls/web-address.ts';
import type { LinkPayload } from './link.ts';
import type { linkChange, linkDraft } from './link-schema.ts';

/** A payload as a request carries it: with what is to be saved, and in an update with nulls for what is to go. */
export type PayloadDraft = z.output<typeof linkDraft>['payload'] | z.output<typeof linkChange>['payload'];

/** A payload without what is only said once, and the apps that were to be saved with it. */
export interface SettledPayload<Draft> {
  readonly payload: Draft;
  readonly apps: readonly MobileApp[];
}

/** Turns settings that are to be saved into apps that the payload references. */
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

/** Payloads that both name an app and save one: the link could have only one of them. */
const doubleFaults = ({ androidAppId, android, iosAppId, ios }: PayloadDraft): Fault[] => [
  ...(androidAppId && android?.saveApp ? [double('androidAppId', 'android')] : []),
  ...(iosAppId && ios?.saveApp ? [double('iosAppId', 'ios')] : []),
];

const double = (field: string, section: string) => ({
  field: `payload.${field}`,
  message: `can't be given together with payload.${section}.saveApp`,
});

/** Named apps that aren't the project's, or are of the other platform. */
const appFaults = async (
  draft: PayloadDraft,
  find: (id: string) => Promise<MobileApp | undefined>,
): Promise<Fault[]> => {
  const faults = await Promise.all(
    namedApps(draft).map(async ({ field, platform, id }) => {
      const app = await find(id);
      if (app?.platform === platform) return [];
      return [{ field: `payload.${field}`, message: `is no ${platform} app of this project` }];
    }),
  );
  return faults.flat();
};

const ownHostFaults = (draft: PayloadDraft, hosts: readonly string[]): Fault[] =>
  addressFaults(
    {
      'payload.link': draft.link,
      'payload.desktop_fallback': draft.desktop_fallback,
      'payload.android.store_fallback': draft.android?.store_fallback,
      'payload.ios.app_store_fallback': draft.ios?.app_store_fallback,
      'payload.social.image': draft.social?.image,
    },
    hosts,
  );

export interface DraftChecks {
  readonly now: Date;
  /** The project's own short hosts, as soon as they are known. */
  readonly hosts: Promise<readonly string[]>;
  readonly findApp: (id: string) => Promise<MobileApp | undefined>;
}

/** What only the rest of the world tells of a draft. Throws VALIDATION_ERROR with every fault. */
export const checkDraft = async (
  { payload, expiresAt }: { readonly payload: PayloadDraft; readonly expiresAt?: string | null | undefined },
  { now, hosts, findApp }: DraftChecks,
): Promise<void> => {
  const [own, apps] = await Promise.all([hosts, appFaults(payload, findApp)]);
  const hasPassed = typeof expiresAt === 'string' && Date.parse(expiresAt) <= now.getTime();
  refuseFaults([
    ...doubleFaults(payload),
    ...apps,
    ...ownHostFaults(payload, own),
    ...(hasPassed ? [{ field: 'expiresAt', message: 'must be in the future' }] : []),
  ]);
};

/** A stored payload after a change: what was left out stays, null clears, a section that was given replaces its own. */
export const mergePayload = (stored: LinkPayload, change: PayloadDraft): LinkPayload => {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as LinkPayload;
};

import type { Fault } from '../failure.ts';
import { addressFaults } from '../short-urls/web-address.ts';

/** A mobile app that links can reference. Fields of the other platform, and those that were not given, are null. */
export interface MobileApp {
  readonly id: string;
  readonly name: string;
  readonly platform: 'IOS' | 'ANDROID';
  readonly bundleId: string | null;
  readonly appStoreFallback: string | null;
  readonly appStoreId: string | null;
  readonly iosMinVersion: string | null;
  readonly packageName: string | null;
  readonly playStoreFallback: string | null;
  readonly androidMinVersion: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a client can set of an app after its creation. */
export type MobileAppChange = {
  readonly [Field in Exclude<keyof MobileApp, 'id' | 'platform' | 'createdAt' | 'updatedAt'>]?:
    | MobileApp[Field]
    | undefined;
};

/** The fields of each platform; the first one tells the app from all others and can't be missing. */
export const platformFields = {
  IOS: ['bundleId', 'appStoreFallback', 'appStoreId', 'iosMinVersion'],
  ANDROID: ['packageName', 'playStoreFallback', 'androidMinVersion'],
} as const;

const noSettings = {
  bundleId: null,
  appStoreFallback: null,
  appStoreId: null,
  iosMinVersion: null,
  packageName: null,
  playStoreFallback: null,
  androidMinVersion: null,
};

export const newMobileApp = (
  id: string,
  fields: Pick<MobileApp, 'name' | 'platform'> & MobileAppChange,
  now: Date,
): MobileApp => ({
  ...noSettings,
  ...fields,
  id,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

type Platform = MobileApp['platform'];

// A null only repeats what the app shows anyway.
const foreignFaults = (platform: Platform, fields: MobileAppChange): Fault[] =>
  platformFields[platform === 'IOS' ? 'ANDROID' : 'IOS']
    .filter((field) => fields[field] != null)
    .map((field) => ({ field, message: 'belongs to apps of the other platform' }));

/** Why a new app can't have these fields. A platform that is none is a fault of its own. */
export const draftFaults = (draft: { readonly platform: Platform } & MobileAppChange): Fault[] => {
  if (!Object.hasOwn(platformFields, draft.platform)) return [];
  const [identifier] = platformFields[draft.platform];
  const missing =
    draft[identifier] == null
      ? [{ field: identifier, message: `is required for ${draft.platform} apps` }]
      : [];
  return [...missing, ...foreignFaults(draft.platform, draft)];
};

/** Why an app of this platform can't be changed so. */
export const changeFaults = (platform: Platform, change: MobileAppChange): Fault[] => {
  const [identifier] = platformFields[platform];
  const cleared = change[identifier] === null ? [{ field: identifier, message: "can't be cleared" }] : [];
  return [...foreignFaults(platform, change), ...cleared];
};

/** Store addresses that lead back to the short links. */
export const ownHostFaults = (
  { appStoreFallback, playStoreFallback }: MobileAppChange,
  hosts: readonly string[],
): Fault[] => addressFaults({ appStoreFallback, playStoreFallback }, hosts);

import { Failure } from './failure.ts';

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
export type MobileAppChange = Partial<Omit<MobileApp, 'id' | 'platform' | 'createdAt' | 'updatedAt'>>;

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

/** Throws VALIDATION_ERROR for a change that an app of this platform can't take. */
export const checkChange = (platform: MobileApp['platform'], change: MobileAppChange): void => {
  const other = platform === 'IOS' ? 'ANDROID' : 'IOS';
  // A null only repeats what the app shows anyway.
  const foreign = platformFields[other].filter((field) => change[field] != null);
  const [identifier] = platformFields[platform];
  const faults = foreign.map((field) => `${field}: belongs to apps of the other platform`);
  if (change[identifier] === null) faults.push(`${identifier}: can't be cleared`);
  if (faults.length > 0) throw new Failure('VALIDATION_ERROR', faults.join('; '));
};

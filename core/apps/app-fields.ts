import type { Field } from '../field.ts';
import { limits } from '../limits.ts';

export const appPlatforms = ['IOS', 'ANDROID'] as const;
export type AppPlatform = (typeof appPlatforms)[number];

type AppField = Field & {
  readonly platform: AppPlatform;
  /** It identifies an app of its platform, so every such app must have it. */
  readonly identifies?: true;
};

/** Every field of a mobile app that belongs to one platform. Schemas, stored apps, checks and examples follow from it. */
export const appFields = {
  bundleId: {
    kind: 'identifier',
    min: 1,
    platform: 'IOS',
    identifies: true,
    about: 'iOS bundle identifier; an iOS app must have it.',
    example: 'com.example.shop',
  },
  appStoreFallback: {
    kind: 'address',
    platform: 'IOS',
    about: 'iOS store URL.',
    example: 'https://apps.apple.com/app/id123456789',
  },
  appStoreId: {
    kind: 'store-id',
    platform: 'IOS',
    about: 'Numeric id in the App Store.',
    example: '123456789',
  },
  iosMinVersion: {
    kind: 'text',
    max: limits.version,
    platform: 'IOS',
    about: 'Minimum iOS version, such as 14.0.',
    example: '14.0',
  },
  packageName: {
    kind: 'identifier',
    min: 1,
    platform: 'ANDROID',
    identifies: true,
    about: 'Android package name; an Android app must have it.',
    example: 'com.example.shop',
  },
  playStoreFallback: {
    kind: 'address',
    platform: 'ANDROID',
    about: 'Android store URL.',
    example: 'https://play.google.com/store/apps/details?id=com.example.shop',
  },
  androidMinVersion: {
    kind: 'text',
    max: limits.version,
    platform: 'ANDROID',
    about: 'Minimum Android API level.',
    example: '30',
  },
} as const satisfies Readonly<Record<string, AppField>>;

export type AppFieldName = keyof typeof appFields;

/** Each field with its name, in the order of the table. */
export const namedAppFields = Object.entries(appFields) as readonly (readonly [AppFieldName, AppField])[];

/** The fields of one platform. */
export const fieldsOfPlatform = (platform: AppPlatform): AppFieldName[] =>
  namedAppFields.filter(([, field]) => field.platform === platform).map(([name]) => name);

/** The field that an app of a platform can't be without. */
export const identifierOf = (platform: AppPlatform): AppFieldName => {
  const found = namedAppFields.find(([, field]) => field.platform === platform && field.identifies);
  if (!found) throw new Error(`No field identifies ${platform} apps`);
  return found[0];
};

import { limits } from '../base/limits.ts';
import type { Field } from '../fields/field.ts';

export const appPlatforms = ['IOS', 'ANDROID'] as const;
export type AppPlatform = (typeof appPlatforms)[number];

type AppSetting = Field & {
  /** The saved app's field for it, with its description there. Without one, only links have it. */
  readonly saved?: { readonly as: string; readonly about: string };
  /** Its role for the service (`appOf`). Every app must have the platform's identifier. */
  readonly role?: string;
};

interface AppSection {
  readonly about: string;
  readonly platform: AppPlatform;
  /** The payload's field for a saved app's id; the app's settings replace those of the section. */
  readonly appId: string;
  readonly fields: Readonly<Record<string, AppSetting>>;
}

/**
 * Every setting of an app, by sections of a link's payload, named like visitors' platforms. Fields of saved apps, their
 * schemas, checks and examples, and routing follow from these rows.
 */
export const appSettings = {
  android: {
    about: 'Android settings.',
    platform: 'ANDROID',
    appId: 'androidAppId',
    fields: {
      package: {
        kind: 'identifier',
        role: 'identifier',
        about: 'Android package name, such as com.example.app. A store address goes into `store_fallback`.',
        saved: {
          as: 'packageName',
          about:
            'Android package name; an Android app must have it. A store address goes into `playStoreFallback`.',
        },
        example: 'com.example.shop',
      },
      store_fallback: {
        kind: 'address',
        role: 'storeFallback',
        about: 'Android store URL for users without the app.',
        saved: { as: 'playStoreFallback', about: 'Android store URL.' },
        example: 'https://play.google.com/store/apps/details?id=com.example.shop',
      },
      min_version: {
        kind: 'text',
        max: limits.version,
        role: 'minVersion',
        about:
          "Minimum app version that handles the deep link. Apps get it in `link.json`; the service doesn't check it.",
        saved: {
          as: 'androidMinVersion',
          about:
            "Minimum Android API level; apps get it in place of the link's `min_version`, an app version.",
        },
        example: '30',
      },
    },
  },
  ios: {
    about: 'iOS settings.',
    platform: 'IOS',
    appId: 'iosAppId',
    fields: {
      bundleId: {
        kind: 'identifier',
        role: 'identifier',
        about:
          'iOS bundle identifier, such as com.example.app. A store address goes into `app_store_fallback`.',
        saved: {
          as: 'bundleId',
          about:
            'iOS bundle identifier; an iOS app must have it. A store address goes into `appStoreFallback`.',
        },
        example: 'com.example.shop',
      },
      app_store_fallback: {
        kind: 'address',
        role: 'storeFallback',
        about: 'iOS store URL for users without the app.',
        saved: { as: 'appStoreFallback', about: 'iOS store URL.' },
        example: 'https://apps.apple.com/app/id123456789',
      },
      app_store_id: {
        kind: 'store-id',
        role: 'storeId',
        about: 'iOS store app id.',
        saved: { as: 'appStoreId', about: 'Numeric id in the App Store.' },
        example: '123456789',
      },
      min_version: {
        kind: 'text',
        max: limits.version,
        role: 'minVersion',
        about: "Minimum app version. Apps get it in `link.json`; the service doesn't check it.",
        saved: { as: 'iosMinVersion', about: 'Minimum iOS version, such as 14.0.' },
        example: '14.0',
      },
    },
  },
} as const satisfies Readonly<Record<string, AppSection>>;

type Sections = typeof appSettings;
export type AppSectionName = keyof Sections;
type SettingsOf<Name extends AppSectionName> = Sections[Name]['fields'];
type Setting = { [Name in AppSectionName]: SettingsOf<Name>[keyof SettingsOf<Name>] }[AppSectionName];

export type AppRole = Extract<Setting, { readonly role: string }>['role'];
export type AppFieldName = Extract<Setting, { readonly saved: object }>['saved']['as'];

/** A section's settings by name, in its order. */
export const sectionSettings = (section: AppSectionName) =>
  Object.entries<AppSetting & { readonly role?: AppRole; readonly saved?: { readonly as: AppFieldName } }>(
    appSettings[section].fields,
  );

export const appSections = (Object.keys(appSettings) as AppSectionName[]).map((name) => ({
  ...appSettings[name],
  name,
}));

type AppField = Field & { readonly platform: AppPlatform };

export const namedAppFields = appPlatforms.flatMap((platform) =>
  appSections
    .filter((section) => section.platform === platform)
    .flatMap(({ name }) => sectionSettings(name))
    .flatMap(([, { saved, role, ...field }]): [AppFieldName, AppField][] => {
      if (!saved) return [];
      const least = field.kind === 'identifier' ? { min: 1 } : {};
      return [[saved.as, { ...field, ...least, about: saved.about, platform }]];
    }),
);

export const appFields = Object.fromEntries(namedAppFields) as Readonly<Record<AppFieldName, AppField>>;

export const identifierOf = (platform: AppPlatform): AppFieldName => {
  const found = namedAppFields.find(
    ([, field]) => field.platform === platform && field.kind === 'identifier',
  );
  if (!found) throw new Error(`No field identifies ${platform} apps`);
  return found[0];
};

import type { Fault } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import {
  type AppFieldName,
  type AppPlatform,
  appFields,
  appPlatforms,
  identifierOf,
  namedAppFields,
} from './app-fields.ts';

/** The settings that an app keeps. Fields of the other platform, and those that were not given, are null. */
export type SavedSettings = { readonly [Field in AppFieldName]: string | null };

/** A mobile app that links can reference. */
export interface MobileApp extends SavedSettings {
  readonly id: string;
  readonly name: string;
  readonly platform: AppPlatform;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type GivenSettings = { readonly [Field in AppFieldName]?: string | null | undefined };

/** What a client can set of an app after its creation. */
export type MobileAppChange = GivenSettings & { readonly name?: string | undefined };

/** What a client sets of an app at its creation. */
export type MobileAppDraft = GivenSettings & Pick<MobileApp, 'name' | 'platform'>;

export const newMobileApp = (
  id: string,
  { name, platform, ...given }: MobileAppDraft,
  now: Date,
): MobileApp => ({
  ...savedSettings(given),
  id,
  name,
  platform,
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

/** Every field that an app keeps, in the order of the table. */
export const savedSettings = (given: GivenSettings) =>
  Object.fromEntries(namedAppFields.map(([name]) => [name, given[name] ?? null])) as unknown as SavedSettings;

/** The fields that an app of this platform shows as null. */
const foreignFields = (platform: AppPlatform): AppFieldName[] =>
  namedAppFields.flatMap(([name, field]) => (field.platform === platform ? [] : [name]));

// A null only repeats what the app shows anyway.
const foreignFaults = (platform: AppPlatform, given: GivenSettings): Fault[] =>
  foreignFields(platform)
    .filter((field) => given[field] != null)
    .map((field) => fault(field, 'ofOtherPlatform', { platform: appFields[field].platform }));

/** Why a new app can't have these fields. An unknown platform, which may be any JSON value, is another fault. */
export const draftFaults = (draft: { readonly platform: unknown } & GivenSettings): Fault[] => {
  const platform = appPlatforms.find((one) => one === draft.platform);
  if (!platform) return [];
  const identifier = identifierOf(platform);
  const missing = draft[identifier] == null ? [fault(identifier, 'requiredForApp', { platform })] : [];
  return [...missing, ...foreignFaults(platform, draft)];
};

/** Why an app of this platform can't be changed so. */
export const changeFaults = (platform: AppPlatform, change: MobileAppChange): Fault[] => {
  const identifier = identifierOf(platform);
  const cleared = change[identifier] === null ? [fault(identifier, 'notClearable')] : [];
  return [...foreignFaults(platform, change), ...cleared];
};

/** The addresses of an app, by the names of their fields. */
export const addressesOfApp = (given: GivenSettings): Record<string, string | null | undefined> =>
  Object.fromEntries(
    namedAppFields
      .filter(([name]) => appFields[name].kind === 'address')
      .map(([name]) => [name, given[name]]),
  );

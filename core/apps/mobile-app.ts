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

/** A saved app's settings; null if unset or for the other platform. */
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

export type MobileAppChange = GivenSettings & { readonly name?: string | undefined };

/** The fields of a new app. */
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

/** All settings of an app, in the table's order. */
export const savedSettings = (given: GivenSettings) =>
  Object.fromEntries(namedAppFields.map(([name]) => [name, given[name] ?? null])) as unknown as SavedSettings;

/** Fields of the other platform. */
const foreignFields = (platform: AppPlatform): AppFieldName[] =>
  namedAppFields.flatMap(([name, field]) => (field.platform === platform ? [] : [name]));

// Null is allowed for fields of the other platform, because responses contain it.
const foreignFaults = (platform: AppPlatform, given: GivenSettings): Fault[] =>
  foreignFields(platform)
    .filter((field) => given[field] != null)
    .map((field) => fault(field, 'ofOtherPlatform', { platform: appFields[field].platform }));

/** Faults of a new app's fields. An unknown platform, which may be any JSON value, is another fault. */
export const draftFaults = (draft: { readonly platform: unknown } & GivenSettings): Fault[] => {
  const platform = appPlatforms.find((one) => one === draft.platform);
  if (!platform) return [];
  const identifier = identifierOf(platform);
  const missing = draft[identifier] == null ? [fault(identifier, 'requiredForApp', { platform })] : [];
  return [...missing, ...foreignFaults(platform, draft)];
};

export const changeFaults = (platform: AppPlatform, change: MobileAppChange): Fault[] => {
  const identifier = identifierOf(platform);
  const cleared = change[identifier] === null ? [fault(identifier, 'notClearable')] : [];
  return [...foreignFaults(platform, change), ...cleared];
};

/** An app's addresses by field name. */
export const addressesOfApp = (given: GivenSettings): Record<string, string | null | undefined> =>
  Object.fromEntries(
    namedAppFields
      .filter(([name]) => appFields[name].kind === 'address')
      .map(([name]) => [name, given[name]]),
  );

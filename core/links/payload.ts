import { identifierOf } from '../apps/app-fields.ts';
import type { MobileApp } from '../apps/mobile-app.ts';
import { ruleAddresses } from '../rules/rule.ts';
import {
  type AppSectionName,
  type appSections,
  type LinkPayload,
  namedPayloadFields,
  payloadFields,
} from './payload-fields.ts';

/** A payload of a request or of a stored link: an update may carry nulls. */
type Given = { readonly [Name in keyof LinkPayload]?: LinkPayload[Name] | null };

/** Every address of a payload, by the path of its field, whether it is set or not. */
export const addressesOf = (payload: Given): Record<string, string | null | undefined> => {
  const found: Record<string, string | null | undefined> = {};
  for (const [name, entry] of namedPayloadFields) {
    const value = payload[name];
    if (!('fields' in entry)) {
      if (entry.kind === 'address') found[`payload.${name}`] = value as string | null | undefined;
      continue;
    }
    const section = (value ?? {}) as Readonly<Record<string, string | undefined>>;
    for (const [field, { kind }] of Object.entries(entry.fields)) {
      if (kind === 'address') found[`payload.${name}.${field}`] = section[field];
    }
  }
  return { ...found, ...ruleAddresses(payload.rules ?? [], 'payload.rules') };
};

type Settings<Name extends AppSectionName> = NonNullable<LinkPayload[Name]>;

type SavedAs<Name extends AppSectionName> = (typeof payloadFields)[Name]['fields'] extends infer Fields
  ? {
      [Field in keyof Fields]: Fields[Field] extends { savedAs: infer Column } ? Column : never;
    }[keyof Fields]
  : never;

/** The fields of a saved app that a section's settings are kept in. */
export type SavedSettings<Name extends AppSectionName> = Pick<MobileApp, SavedAs<Name> & keyof MobileApp>;

/** Settings of a link under the names of a saved app; null where they are not set. */
export const toSavedSettings = <Name extends AppSectionName>(
  section: Name,
  settings: Settings<Name>,
): SavedSettings<Name> => {
  const given = settings as Readonly<Record<string, string | undefined>>;
  const columns = Object.entries(payloadFields[section].fields).map(([name, { savedAs }]) => [
    savedAs,
    given[name] ?? null,
  ]);
  return Object.fromEntries(columns) as SavedSettings<Name>;
};

/**
 * The effective settings for a platform, under the payload's names. A saved app replaces the whole section,
 * including fields that it lacks.
 */
export const effectiveSettings = <Name extends AppSectionName>(
  section: Name,
  payload: Pick<LinkPayload, AppSectionName>,
  app: Partial<SavedSettings<Name>> | undefined,
): Settings<Name> => {
  if (app === undefined) return (payload[section] ?? {}) as Settings<Name>;
  const saved = app as Readonly<Record<string, string | null | undefined>>;
  const settings = Object.entries(payloadFields[section].fields).map(([name, { savedAs }]) => [
    name,
    saved[savedAs] ?? undefined,
  ]);
  return Object.fromEntries(settings) as Settings<Name>;
};

/** The setting that an app saved from a section can't be without. */
export const identifierSetting = ({ name, platform, fields }: (typeof appSections)[number]): string => {
  const found = Object.entries(fields).find(([, { savedAs }]) => savedAs === identifierOf(platform));
  if (!found) throw new Error(`No setting of ${name} identifies an app`);
  return found[0];
};

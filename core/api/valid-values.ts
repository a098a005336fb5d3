import { appFields, appSections } from '../apps/app-fields.ts';
import { examplesOf } from '../fields/field.ts';
import { examplePayload } from '../links/example-payload.ts';
import { ownExamples } from '../links/own-fields.ts';
import { payloadFields } from '../links/payload-fields.ts';
import { exampleRules } from '../rules/example-rules.ts';

const { ios, android, iosAppId, androidAppId } = payloadFields;
const saving = { saveApp: true, appName: 'Shop' };

const draft = {
  payload: {
    ...examplePayload,
    ...examplesOf({ iosAppId, androidAppId }),
    rules: [{ name: 'dach', countries: ['DE'], link: examplePayload.link }, ...exampleRules],
    ios: { ...examplesOf(ios.fields), ...saving },
    android: { ...examplesOf(android.fields), ...saving },
  },
  code: 'launch',
  ...ownExamples,
};

/** A valid value for every field of a body; no two bodies have a field with the same name and different types. */
const body: unknown = {
  ...draft,
  links: [draft],
  status: 'PAUSED',
  platform: appSections[0]?.platform,
  ...examplesOf(appFields),
};

/** A short valid value at a path of a body; undefined if there is none to show. */
export const rightValueAt = (path: readonly PropertyKey[]): string | undefined => {
  const found = path.reduce<readonly unknown[]>(
    (places, name) =>
      places.flatMap((place) => {
        if (typeof name === 'number') return Array.isArray(place) ? place : [];
        const value = (place as Record<PropertyKey, unknown> | null | undefined)?.[name];
        return value === undefined ? [] : [value];
      }),
    [body],
  )[0];
  return found === undefined || typeof found === 'boolean' ? undefined : JSON.stringify(brief(found));
};

const longest = 100;

/** Truncates a long array or object to its first entry. */
const brief = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || JSON.stringify(value).length <= longest) return value;
  if (Array.isArray(value)) return value.slice(0, 1);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 1)
      .map(([name, part]) => [name, brief(part)]),
  );
};

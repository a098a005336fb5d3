import { limits } from '../base/limits.ts';

/** A field of a link next to its payload, with descriptions for requests (`about`) and responses (`shown`). */
type OwnField = { readonly about: string; readonly shown: string } & (
  | { readonly kind: 'text'; readonly max: number; readonly example: string }
  | { readonly kind: 'time'; readonly example: string }
  | { readonly kind: 'tags'; readonly example: readonly string[] }
);

/**
 * Fields that owners set next to the payload. Schemas, storage, changes, responses, imports and exports follow from
 * these rows.
 */
export const ownFields = {
  name: {
    kind: 'text',
    max: limits.name,
    about: 'Display name.',
    shown: 'Display name, present if set.',
    example: 'Summer sale',
  },
  tags: {
    kind: 'tags',
    about: `Tags to find the link by, at most ${limits.tagsPerLink}. Capitals are stored in lower case, and repeats are dropped.`,
    shown: 'Tags, present if there are any.',
    example: ['summer', 'poster/berlin'],
  },
  expiresAt: {
    kind: 'time',
    about:
      'When the link expires. Must be in the future: ISO 8601 with Z or an offset, or a date alone for its midnight in UTC.',
    shown: 'Expiry time, present if set.',
    example: '2030-01-01T00:00:00Z',
  },
} as const satisfies Readonly<Record<string, OwnField>>;

export type OwnFieldName = keyof typeof ownFields;
export const ownFieldNames = Object.keys(ownFields) as OwnFieldName[];

type OwnValue<Name extends OwnFieldName> = (typeof ownFields)[Name]['kind'] extends 'tags'
  ? readonly string[]
  : string;

/** A link's own fields; empty ones are absent. */
export type OwnFields = { readonly [Name in OwnFieldName]?: OwnValue<Name> | undefined };

/** Own fields in a change: null or an empty list removes one. */
export type OwnChange = { readonly [Name in OwnFieldName]?: OwnFields[Name] | null };

// Names keep their values' types, which the compiler can't infer from entries.
const mapOwnFields = (value: (name: OwnFieldName) => unknown): OwnFields =>
  Object.fromEntries(ownFieldNames.map((name) => [name, value(name)])) as OwnFields;

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Only the own fields that are set. */
export const ownFieldsOf = (link: OwnFields): OwnFields =>
  Object.fromEntries(
    Object.entries(mapOwnFields((name) => link[name])).filter(([, value]) => value !== undefined),
  );

/** All own fields, with undefined for null and empty lists. */
export const normalizedFields = (given: OwnChange): OwnFields =>
  mapOwnFields((name) => (isNothing(given[name]) ? undefined : given[name]));

/** Examples of all own fields, as a client would send them. */
export const ownExamples: OwnFields = mapOwnFields((name) => ownFields[name].example);

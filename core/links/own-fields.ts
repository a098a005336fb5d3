import { limits } from '../base/limits.ts';

/** A field of a link beside its payload, in words for requests (`about`) and for responses (`shown`). */
type OwnField = { readonly about: string; readonly shown: string } & (
  | { readonly kind: 'text'; readonly max: number; readonly example: string }
  | { readonly kind: 'time'; readonly example: string }
  | { readonly kind: 'tags'; readonly example: readonly string[] }
);

/**
 * What owners set of a link beside its payload. Schemas, what is stored, changes, responses, imports and exports
 * follow from these rows.
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

/** The type that a field's value has, by its kind. */
type OwnValue<Name extends OwnFieldName> = (typeof ownFields)[Name]['kind'] extends 'tags'
  ? readonly string[]
  : string;

/** Absent rather than empty. */
export type OwnFields = { readonly [Name in OwnFieldName]?: OwnValue<Name> | undefined };

/** The same of a change: null or an empty list removes a field. */
export type OwnChange = { readonly [Name in OwnFieldName]?: OwnFields[Name] | null };

// Each name keeps the value that it had, which a compiler can't see of entries.
const mapOwnFields = (value: (name: OwnFieldName) => unknown): OwnFields =>
  Object.fromEntries(ownFieldNames.map((name) => [name, value(name)])) as OwnFields;

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Those of the fields that are set, and nothing else. */
export const ownFieldsOf = (link: OwnFields): OwnFields =>
  Object.fromEntries(
    Object.entries(mapOwnFields((name) => link[name])).filter(([, value]) => value !== undefined),
  );

/** Each of the fields, with nothing in place of null and of an empty list. */
export const settledFields = (given: OwnChange): OwnFields =>
  mapOwnFields((name) => (isNothing(given[name]) ? undefined : given[name]));

/** An example of every field, as a client would send it. */
export const ownExamples: OwnFields = mapOwnFields((name) => ownFields[name].example);

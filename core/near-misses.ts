import * as z from 'zod';
import type { Fault } from './failure.ts';
import { fault } from './messages.ts';

/** Names under which another resource has fields of a schema, with the schema's own names. */
const otherNames = new WeakMap<z.ZodType, Readonly<Record<string, readonly string[]>>>();

/** States that fields of a schema have other names elsewhere, which a client may mix up with these. */
export const alsoNamed = <Schema extends z.ZodType>(
  schema: Schema,
  names: readonly (readonly [elsewhere: string, here: string])[],
): Schema => {
  const differing = Map.groupBy(
    names.filter(([elsewhere, here]) => elsewhere !== here),
    ([elsewhere]) => elsewhere,
  );
  const byName = [...differing].map(([elsewhere, pairs]) => [elsewhere, pairs.map(([, here]) => here)]);
  otherNames.set(schema, Object.fromEntries(byName));
  return schema;
};

/** The same letters in another case or with other separators. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

/** The schema below what makes it optional, nullable or a default. */
const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name from a request as messages show it. */
export const shownName = (name: string): string =>
  name === '' ? "''" : name.length <= 60 ? name : `${name.slice(0, 60)}…`;

/** What a name that a schema doesn't have was probably meant to be; nothing if it isn't near any. */
export const meantNames = (schema: z.ZodObject, name: string): readonly string[] => {
  const names = Object.keys(schema.shape);
  if (names.includes(name)) return [];
  const other = otherNames.get(schema) ?? {};
  if (Object.hasOwn(other, name)) return other[name] ?? [];
  const letters = lettersOf(name);
  return names.filter((one) => lettersOf(one) === letters);
};

/**
 * Fields of a body that a schema doesn't know, but nearly: ignoring `expires_at` would make a link that never expires.
 * Other unknown fields are ignored, so that answers can be sent back as they are.
 */
export const nearMisses = (schema: z.ZodType, value: unknown, path: readonly string[] = []): Fault[] => {
  const object = bare(schema);
  if (!(object instanceof z.ZodObject) || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, part]): Fault[] => {
    const field = [...path, shownName(name)];
    if (Object.hasOwn(object.shape, name)) return nearMisses(object.shape[name], part, field);
    const meant = meantNames(object, name);
    return meant.length === 0 ? [] : [fault(field.join('.'), 'nearMiss', { name: meant.join(' or ') })];
  });
};

import * as z from 'zod';
import type { Fault } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import { isRecord } from '../base/record.ts';

/**
 * Names by which clients may mean a field of this API, each with what the field is called here: a field elsewhere in the
 * body by its path, several joined by "or".
 */
export type OtherNames = readonly (readonly [elsewhere: string, here: string])[];

/** What stands for a field that other services have and this one doesn't. */
export const notOffered = '';

const otherNames = new WeakMap<z.ZodType, OtherNames>();
/** What each schema's own and other names mean, by what `lettersOf` makes of them. */
const byLetters = new WeakMap<z.ZodType, ReadonlyMap<string, readonly string[]>>();

/** States that fields of a schema have other names elsewhere, which a client may mix up with these. */
export const alsoNamed = <Schema extends z.ZodType>(schema: Schema, names: OtherNames): Schema => {
  otherNames.set(
    schema,
    names.filter(([elsewhere, here]) => elsewhere !== here),
  );
  return schema;
};

/** The same letters in another case or with other separators. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

/** The schema below what makes it optional, nullable or a default. */
const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema;
};

/** A name from a request as messages show it. */
export const shownName = (name: string): string =>
  name === '' ? "''" : name.length <= 60 ? name : `${name.slice(0, 60)}…`;

/** Computed once for each schema: a body can have a hundred thousand unknown names. */
const namesOf = (schema: z.ZodObject): ReadonlyMap<string, readonly string[]> => {
  const found = byLetters.get(schema);
  if (found) return found;
  const own = Object.keys(schema.shape).map((name) => [name, name] as const);
  // An own name is meant before another service's.
  const others = (otherNames.get(schema) ?? []).filter(
    ([elsewhere]) => !own.some(([name]) => lettersOf(name) === lettersOf(elsewhere)),
  );
  const grouped = Map.groupBy([...own, ...others], ([elsewhere]) => lettersOf(elsewhere));
  const made = new Map([...grouped].map(([letters, pairs]) => [letters, pairs.map(([, here]) => here)]));
  byLetters.set(schema, made);
  return made;
};

/** What a name that a schema doesn't have was probably meant to be; nothing if it isn't near any. */
export const meantNames = (schema: z.ZodObject, name: string): readonly string[] =>
  Object.hasOwn(schema.shape, name) ? [] : (namesOf(schema).get(lettersOf(name)) ?? []);

/**
 * Fields of a body that a schema doesn't know, but nearly: ignoring `expires_at` would make a link that never expires.
 * Other unknown fields are ignored, so that a response can be sent back as it is; but a strict object refuses all.
 */
export const nearMisses = (schema: z.ZodType, value: unknown, path: readonly string[] = []): Fault[] => {
  const object = bare(schema);
  if (object instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      nearMisses(object.element as z.ZodType, item, [...path, String(index)]),
    );
  }
  if (!(object instanceof z.ZodObject) || !isRecord(value)) return [];
  const isStrict = object.def.catchall instanceof z.ZodNever;
  return Object.entries(value).flatMap(([name, part]): Fault[] => {
    const field = [...path, shownName(name)];
    if (Object.hasOwn(object.shape, name)) return nearMisses(object.shape[name], part, field);
    const meant = meantNames(object, name);
    const where = field.join('.');
    if (meant.length === 0) {
      return isStrict ? [fault(where, 'unknownField', { names: Object.keys(object.shape).join(', ') })] : [];
    }
    if (meant.includes(notOffered)) return [fault(where, 'notOffered')];
    const isHere = meant.every((one) => Object.hasOwn(object.shape, one));
    return [fault(where, isHere ? 'nearMiss' : 'elsewhere', { name: meant.join(' or ') })];
  });
};

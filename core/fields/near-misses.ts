import * as z from 'zod';
import type { Fault } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import { isRecord } from '../base/record.ts';
import { isNearly } from './near-names.ts';
import { notOffered, otherNamesOf, sentBack, unchanging } from './other-names.ts';

/** Names in responses, events and exports that are near a field's name. A test compares all of them. */
const shownNames: ReadonlySet<string> = new Set(['rule', 'links', 'campaigns', 'platforms']);

/** Meanings of each schema's own and other names, by their `lettersOf`. */
const byLetters = new WeakMap<z.ZodType, ReadonlyMap<string, readonly string[]>>();

/** A name without case and separators. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

/** The schema inside optional, nullable and default wrappers. */
const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema;
};

/** A request's name as messages show it. */
export const shownName = (name: string): string =>
  name === '' ? "''" : name.length <= 60 ? name : `${name.slice(0, 60)}…`;

const ownNames = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => shape[name] !== sentBack);

/** Meanings of a schema's names, cached because a body can have a hundred thousand unknown names. */
const namesOf = (schema: z.ZodObject): ReadonlyMap<string, readonly string[]> => {
  const found = byLetters.get(schema);
  if (found) return found;
  const own = new Map(ownNames(schema).map((name) => [lettersOf(name), [name]]));
  const others = Map.groupBy(otherNamesOf(schema), ([elsewhere]) => lettersOf(elsewhere));
  const meant = [...others].map(([letters, pairs]) => [letters, pairs.map(([, here]) => here)] as const);
  // Own names take precedence over other services'.
  const made = new Map<string, readonly string[]>([...meant, ...own]);
  byLetters.set(schema, made);
  return made;
};

/** The names that an unknown name was probably meant to be; none if it isn't near any. */
const meantNames = (schema: z.ZodObject, name: string): readonly string[] => {
  const letters = lettersOf(name);
  const listed = namesOf(schema).get(letters);
  if (listed || shownNames.has(name)) return listed ?? [];
  return ownNames(schema).filter((one) => isNearly(letters, lettersOf(one)));
};

/** Faults of an unknown name that is near a known one; none otherwise. */
export const misnamed = (schema: z.ZodObject, name: string, where = shownName(name)): Fault[] => {
  const meant = meantNames(schema, name);
  if (meant.length === 0) return [];
  if (meant.includes(notOffered)) return [fault(where, 'notOffered')];
  if (meant.includes(unchanging)) return [fault(where, 'keepsCode')];
  return [fault(where, 'otherName', { name: meant.join(' or ') })];
};

/** The parts of a value with their schemas; a field without one is unknown. */
const partsOf = (
  schema: unknown,
  value: unknown,
): readonly (readonly [name: string, part: unknown, schema: unknown])[] => {
  const whole = bare(schema);
  if (whole instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => [String(index), item, whole.element]);
  if (!(whole instanceof z.ZodObject) || !isRecord(value)) return [];
  const { shape } = whole;
  return Object.entries(value).map(([name, part]) => [
    name,
    part,
    Object.hasOwn(shape, name) ? shape[name] : undefined,
  ]);
};

/**
 * Faults of unknown fields that are near known ones: ignoring `expires_at` would create a link that never expires.
 * Other unknown fields are ignored, so that a response can be sent back unchanged; strict objects reject all.
 */
export const nearMisses = (schema: unknown, value: unknown, path: readonly string[] = []): Fault[] =>
  partsOf(schema, value).flatMap(([name, part, known]): Fault[] => {
    const field = [...path, shownName(name)];
    if (known !== undefined) return nearMisses(known, part, field);
    // Only objects have unknown fields.
    const object = bare(schema) as z.ZodObject;
    const found = misnamed(object, name, field.join('.'));
    if (found.length > 0 || !(object.def.catchall instanceof z.ZodNever)) return found;
    return [fault(field.join('.'), 'unknownField', { names: Object.keys(object.shape).join(', ') })];
  });

/** Paths of unknown fields that are ignored. */
export function* ignoredPaths(schema: unknown, value: unknown, path = ''): Generator<string> {
  for (const [name, part, known] of partsOf(schema, value)) {
    if (known !== undefined) yield* ignoredPaths(known, part, `${path}${name}.`);
    else if (misnamed(bare(schema) as z.ZodObject, name).length === 0) yield path + name;
  }
}

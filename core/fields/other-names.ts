import * as z from 'zod';

/**
 * Names by which clients may mean a field of this API, each with what the field is called here: a field elsewhere in the
 * body by its path, several joined by "or".
 */
export type OtherNames = readonly (readonly [elsewhere: string, here: string])[];

/** Marks a field that other services have and this one doesn't. */
export const notOffered = '';
/** Marks a field that only a creation sets. */
export const unchanging = '-';

/** A field that may come back as a response showed it, and isn't written: neither described nor meant by another name. */
export const sentBack = z.unknown().optional();

const otherNames = new WeakMap<z.ZodType, OtherNames>();
export const otherNamesOf = (schema: z.ZodType): OtherNames => otherNames.get(schema) ?? [];

/** States that fields of a schema have other names elsewhere, which a client may mix up with these. */
export const alsoNamed = <Schema extends z.ZodType>(schema: Schema, names: OtherNames): Schema => {
  const others = names.filter(([elsewhere, here]) => elsewhere !== here);
  otherNames.set(schema, others);
  return schema;
};

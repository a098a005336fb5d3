import * as z from 'zod';

/**
 * Other services' names for fields of this API. A field elsewhere in the body is given by its path; several are joined
 * by "or".
 */
export type OtherNames = readonly (readonly [elsewhere: string, here: string])[];

/** Marks a field that this service doesn't offer. */
export const notOffered = '';
/** Marks a field that can't be changed after creation. */
export const unchanging = '-';

/** A field of responses that requests may repeat; it is ignored, and not part of the description. */
export const sentBack = z.unknown().optional();

const otherNames = new WeakMap<z.ZodType, OtherNames>();
export const otherNamesOf = (schema: z.ZodType): OtherNames => otherNames.get(schema) ?? [];

/** Registers other services' names for a schema's fields. */
export const alsoNamed = <Schema extends z.ZodType>(schema: Schema, names: OtherNames): Schema => {
  const others = names.filter(([elsewhere, here]) => elsewhere !== here);
  otherNames.set(schema, others);
  return schema;
};

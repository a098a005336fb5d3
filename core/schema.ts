import * as z from 'zod';

/** Text of a request. Half a character pair, which JSON can carry, is refused: the table can't store it. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** For refinements of objects that run although other fields have faults. */
export const isObject = ({ value }: { readonly value: unknown }): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import * as z from 'zod';
import { notInIdentifiers } from '../base/identifier.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { text, textWithout } from '../base/schema.ts';
import { answeredBytes, encodedBytes } from '../base/text-size.ts';
import { webAddress } from '../destinations/web-address-schema.ts';
import type { Field, Fields, Texts } from './field.ts';

const appStoreId = z
  .string()
  .regex(new RegExp(`^\\d{1,${limits.appStoreIdDigits}}$`), faultMessage('storeId'));

const identifier = textWithout(limits.identifier, notInIdentifiers, faultMessage('storeIdentifier')).refine(
  (value) => Math.max(answeredBytes(value), encodedBytes(value)) <= limits.identifierBytes,
  faultMessage('bytes', { bytes: limits.identifierBytes }),
);

const atLeast = (schema: z.ZodString, min: number | undefined): z.ZodString =>
  min === undefined ? schema : schema.min(min);

/** The rules for a field of a request. */
export const checkedSchema = (field: Field): z.ZodType<string> => {
  switch (field.kind) {
    case 'text':
      return atLeast(text(field.max, field), field.min);
    case 'identifier':
      return atLeast(identifier, field.min);
    case 'address':
      return webAddress;
    case 'store-id':
      return appStoreId;
    case 'choice':
      return z.enum(field.values);
  }
};

export const requested = (field: Field): z.ZodType<string> => checkedSchema(field).describe(field.about);

/** The schema of a stored field. It has no rules, so that later rules don't hide stored values. */
export const storedSchema = (field: Field | Texts): z.ZodType =>
  (field.kind === 'texts' ? z.record(z.string(), z.string()) : z.string()).meta({
    description: field.about,
    ...(field.kind === 'choice' && { enum: [...field.values] }),
  });

/** The schemas of a table's fields. */
export const shapeOf = (fields: Fields, schemaOf: (field: Field) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));

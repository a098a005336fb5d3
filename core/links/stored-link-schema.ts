import * as z from 'zod';
import { appSections, sectionSettings } from '../apps/app-fields.ts';
import { faultMessage } from '../base/messages.ts';
import type { Field, Texts } from '../fields/field.ts';
import { shapeOf, storedSchema } from '../fields/field-schema.ts';
import { alsoNamed } from '../fields/other-names.ts';
import { storedRules } from '../rules/stored-rules-schema.ts';
import { namesOfSections } from './foreign-names.ts';
import { codePattern } from './link.ts';
import { type OwnFieldName, ownFieldNames, ownFields } from './own-fields.ts';
import {
  type LinkPayload,
  namedPayloadFields,
  type PayloadFieldName,
  payloadFields,
} from './payload-fields.ts';

/* Schemas of stored links, for functions that don't load schemas of requests. */

export const linkCode = z
  .string()
  .regex(codePattern, faultMessage('code'))
  .meta({ description: 'Short code, unique in the project and case sensitive.', examples: ['launch'] });

export type Shape = Record<string, z.ZodType>;

/** Schemas of all payload fields except the destination, which is required. Fields of sections are optional. */
export const shapeOfPayload = (
  schemaOf: (field: Field | Texts) => z.ZodType,
  optional: (schema: z.ZodType) => z.ZodType,
  section: (name: PayloadFieldName, shape: Shape) => z.ZodType,
): Shape =>
  Object.fromEntries(
    namedPayloadFields
      .filter(([name]) => name !== 'link')
      .map(([name, entry]) => {
        if (!('fields' in entry)) return [name, schemaOf(entry)];
        const shape = shapeOf(entry.fields, (field) => optional(schemaOf(field)));
        const names = [...savedNames(name), ...(namesOfSections[name] ?? [])];
        return [name, alsoNamed(section(name, shape).describe(entry.about), names)];
      }),
  );

/** An app section's settings; undefined for other sections. */
export const appSettingsSchema = (name: PayloadFieldName) => {
  const section = appSections.find((one) => one.name === name);
  return section && sectionSettings(section.name);
};

const savedNames = (name: PayloadFieldName) =>
  (appSettingsSchema(name) ?? []).flatMap(([setting, { saved }]) =>
    saved ? [[saved.as, setting] as const] : [],
  );

export const mapShape = (shape: Shape, made: (schema: z.ZodType) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, made(schema)]));

/** Casts a schema to its payload's type. Both follow from the same table, which the compiler can't see. */
export const asPayload = <Payload>(schema: z.ZodType) => schema as z.ZodType<Payload, Payload>;

const maybe = (schema: z.ZodType) => schema.optional();
const storedFields = mapShape(
  shapeOfPayload(storedSchema, maybe, (_, shape) => z.object(shape)),
  maybe,
);

export const linkPayload = asPayload<LinkPayload>(
  z
    .object({ link: storedSchema(payloadFields.link), ...storedFields, rules: storedRules.optional() })
    .meta({ id: 'LinkPayload' }),
);

export type OwnField = (typeof ownFields)[OwnFieldName];
export type TagsField = Extract<OwnField, { kind: 'tags' }>;

type OwnSchemas<Text, Tags> = { readonly [Name in OwnFieldName]: Name extends 'tags' ? Tags : Text };

/** Schemas of the fields next to the payload. */
export const ownSchemas = <Text extends z.ZodType, Tags extends z.ZodType>(
  ofText: (field: Exclude<OwnField, TagsField>) => Text,
  ofTags: (field: TagsField) => Tags,
): OwnSchemas<Text, Tags> =>
  Object.fromEntries(
    ownFieldNames.map((name) => {
      const field = ownFields[name];
      return [name, field.kind === 'tags' ? ofTags(field) : ofText(field)];
    }),
  ) as OwnSchemas<Text, Tags>;

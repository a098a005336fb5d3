import * as z from 'zod';
import { type AppSectionName, appSections, settingsOf } from '../apps/app-fields.ts';
import type { Fault } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { type Check, isObject, text } from '../base/schema.ts';
import type { Field } from '../fields/field.ts';
import { requested, shapeOf, stored } from '../fields/field-schema.ts';
import { alsoNamed } from '../fields/near-misses.ts';
import { schemaFault } from '../fields/schema-faults.ts';
import { timestamp } from '../fields/time-schema.ts';
import { requestedRules, storedRules } from '../rules/rule-schema.ts';
import { type Campaign, referrerBytes } from './campaign.ts';
import { foreignNames, namesOfSections } from './foreign-names.ts';
import { codePattern, reservedCode } from './link.ts';
import type { PayloadChange, PayloadDraft, PayloadEdit } from './link-draft.ts';
import { type OwnFieldName, ownFieldNames, ownFields } from './own-fields.ts';
import {
  type LinkPayload,
  namedPayloadFields,
  type PayloadFieldName,
  payloadFields,
} from './payload-fields.ts';
import { requestedTags, tagsChecks } from './tags-schema.ts';

export const linkCode = z
  .string()
  .regex(codePattern, faultMessage('code'))
  .meta({ description: 'Short code, unique in the project and case sensitive.', examples: ['launch'] });

type Shape = Record<string, z.ZodType>;

/**
 * A schema for each entry of the table of payload fields but the destination, which every payload has. Fields of a
 * section may be left out.
 */
const shapeOfPayload = (
  schemaOf: (field: Field) => z.ZodType,
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

/** An app's settings, if the section is one of an app. */
const settingsIn = (name: PayloadFieldName) => {
  const section = appSections.find((one) => one.name === name);
  return section && settingsOf(section.name);
};

/** The names of a section's settings in a saved app. */
const savedNames = (name: PayloadFieldName) =>
  (settingsIn(name) ?? []).flatMap(([setting, { saved }]) => (saved ? [[saved.as, setting] as const] : []));

const eachOf = (shape: Shape, made: (schema: z.ZodType) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, made(schema)]));

/** A field of a request that may be left out; null is the same. */
const unlessGiven = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** The types of payloads follow from the table as their schemas do, which a compiler can't see. */
const asPayload = <Payload>(schema: z.ZodType) => schema as z.ZodType<Payload, Payload>;

const maybe = (schema: z.ZodType) => schema.optional();
const storedFields = eachOf(
  shapeOfPayload(stored, maybe, (_, shape) => z.object(shape)),
  maybe,
);

/** A link's configuration, as it is stored and shown. */
export const linkPayload = asPayload<LinkPayload>(
  z
    .object({ link: stored(payloadFields.link), ...storedFields, rules: storedRules.optional() })
    .meta({ id: 'LinkPayload' }),
);

/** The same while somebody types it: values have their types, nothing else is checked, and rules are whatever they are. */
export const typedPayload = z.object({
  link: stored(payloadFields.link).default(''),
  ...storedFields,
  rules: z.unknown().optional(),
  // As with `asPayload`.
}) as unknown as z.ZodType<Omit<LinkPayload, 'rules'> & { rules?: unknown }, Record<string, unknown>>;

/** A request's settings can be saved as an app. */
const saving = {
  saveApp: unlessGiven(
    z.boolean().describe('Save these settings as a new reusable mobile app. Not stored with the link.'),
  ),
  appName: unlessGiven(text(limits.name).describe('Name of the saved app; required with `saveApp`.')),
};

type Saving = { readonly saveApp?: boolean | undefined } & Readonly<Record<string, unknown>>;

/** What saving settings as an app takes. Faults of other fields don't hide it. */
const requiredToSave =
  (...fields: readonly string[]) =>
  (given: Saving, context: z.RefinementCtx) => {
    for (const field of given.saveApp === true ? fields.filter((name) => !given[name]) : []) {
      context.addIssue({ code: 'custom', path: [field], message: faultMessage('requiredToSave') });
    }
  };

const destination = requested(payloadFields.link);

type OwnField = (typeof ownFields)[OwnFieldName];
type TagsField = Extract<OwnField, { kind: 'tags' }>;

type OwnSchemas<Text, Tags> = { readonly [Name in OwnFieldName]: Name extends 'tags' ? Tags : Text };

/** A schema for each field beside the payload. */
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

const ownRequest = (field: Exclude<OwnField, TagsField>) =>
  (field.kind === 'time' ? timestamp : text(field.max)).describe(field.about);
const ownTags = ({ about }: TagsField) => requestedTags.describe(about);

/** Values that aren't strings are a different fault. */
const fitsReferrer = (campaign: Campaign): boolean => {
  const texts = Object.entries(campaign).filter(([, value]) => typeof value === 'string');
  return referrerBytes(Object.fromEntries(texts)) <= limits.campaignBytes;
};

const tooMuchCampaign = faultMessage('referrerBytes', { bytes: limits.campaignBytes });

/** A section of a request; that of an app can be saved. */
const requestSection = (name: PayloadFieldName, shape: Shape): z.ZodType => {
  const settings = settingsIn(name);
  if (name === 'campaign')
    return z
      .object(shape)
      .refine(fitsReferrer, { when: isObject, error: tooMuchCampaign })
      .meta({ 'x-checks': 'campaign' });
  if (!settings) return z.object(shape);
  const identifiers = settings.flatMap(([one, { role }]) => (role === 'identifier' ? [one] : []));
  return z
    .object({ ...shape, ...saving })
    .superRefine(requiredToSave('appName', ...identifiers), { when: isObject });
};

const requestedFields: Shape & Record<AppSectionName, z.ZodType> = {
  ...(shapeOfPayload(requested, unlessGiven, requestSection) as Record<AppSectionName, z.ZodType>),
  rules: requestedRules,
};
const payloadNames = namedPayloadFields.map(([name]) => name);

const requestedPayload = <Payload>(
  link: z.ZodType,
  optional: (schema: z.ZodType) => z.ZodType,
  fields: Shape = requestedFields,
) => asPayload<Payload>(alsoNamed(z.object({ link, ...eachOf(fields, optional) }), foreignNames.ofPayload));

/** What other services call the fields of a new link. */
export const foreignLinkNames = foreignNames.ofNewLink(payloadNames);

const { expiresAt, ...ownDraft } = ownSchemas(
  (field) => unlessGiven(ownRequest(field)),
  (field) => unlessGiven(ownTags(field)).transform((tags) => (tags?.length ? tags : undefined)),
);

/** What the description says of links beyond their schema, by the names in it. */
export const linkChecks = {
  tags: tagsChecks,
  code: [{ says: 'reservedCode', not: `^${reservedCode}$` }],
  campaign: [{ says: 'referrerBytes', if: 'always', bytes: limits.campaignBytes, of: 'referrer' }],
  link: [
    { says: 'past', if: 'faultless', past: 'expiresAt' },
    { says: 'tooManyHosts', if: 'faultless', hosts: limits.rules.hosts, count: limits.rules.hosts },
  ],
} satisfies Readonly<Record<string, readonly Check[]>>;

/** What a request to create a link carries. */
export const linkDraft = alsoNamed(
  z
    .object({
      code: unlessGiven(
        linkCode
          .refine((code) => code !== reservedCode, faultMessage('reservedCode'))
          .meta({ 'x-checks': 'code' }),
      ),
      ...ownDraft,
      payload: requestedPayload<PayloadDraft>(destination, unlessGiven),
      expiresAt,
    })
    .meta({ id: 'LinkDraft', 'x-checks': 'link' }),
  foreignLinkNames,
);

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
const { expiresAt: changedExpiry, ...ownChange } = ownSchemas(
  (field) => clearable(ownRequest(field)),
  (field) => clearable(ownTags(field)),
);

const changeOf = <Payload extends z.ZodType>(payload: Payload, meta: { readonly id?: string } = {}) =>
  alsoNamed(
    z.object({ ...ownChange, payload, expiresAt: changedExpiry }).meta(meta),
    foreignNames.ofLink(payloadNames),
  );

/** A request to update a link: omitted fields stay, null clears, a section replaces its own. */
export const linkChange = changeOf(requestedPayload<PayloadChange>(destination, clearable), {
  id: 'LinkChange',
});

/** The same of an operator: an omitted destination stays, too. */
export const linkEdit = changeOf(requestedPayload<PayloadEdit>(destination.optional(), clearable));

/** The fields of a patch: what a section leaves out stays, and null clears a field of it. */
const patchFields = {
  ...shapeOfPayload(requested, clearable, (name, shape) =>
    z.object({ ...shape, ...(settingsIn(name) && saving) }),
  ),
  rules: requestedRules,
};

/** A JSON Merge Patch of a link: omitted fields stay, also in sections, and null clears. */
export const linkPatch = changeOf(
  requestedPayload<PayloadEdit>(destination.optional(), clearable, patchFields).optional(),
  { id: 'LinkPatch' },
);

/** Why the settings of a section can't be saved as an app. */
export const savingFaults = (name: AppSectionName, settings: unknown): Fault[] => {
  const { error } = requestedFields[name].safeParse(settings, { error: schemaFault });
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: ['payload', name, ...path].join('.'),
    message,
  }));
};

/** Why a campaign is too long as a whole. */
export const campaignFaults = (campaign: Campaign): Fault[] =>
  fitsReferrer(campaign) ? [] : [{ field: 'payload.campaign', message: tooMuchCampaign }];

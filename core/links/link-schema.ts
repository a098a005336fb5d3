import * as z from 'zod';
import type { Field, Fields } from '../field.ts';
import { requested, shapeOf, stored } from '../field-schema.ts';
import { limits } from '../limits.ts';
import { faultMessage } from '../messages.ts';
import { alsoNamed, type OtherNames } from '../near-misses.ts';
import { requestedRules, storedRules } from '../rules/rule-schema.ts';
import { isObject, text } from '../schema.ts';
import { type Campaign, referrerBytes } from '../short-urls/campaign.ts';
import { timestamp } from '../time-schema.ts';
import { foreignNames } from './foreign-names.ts';
import { codePattern, linkStatuses, reservedCode } from './link.ts';
import type { PayloadChange, PayloadDraft, PayloadEdit } from './link-draft.ts';
import { identifierSetting } from './payload.ts';
import {
  appSections,
  type LinkPayload,
  namedPayloadFields,
  type PayloadFieldName,
  payloadFields,
} from './payload-fields.ts';

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
        const foreign: OtherNames = Object.hasOwn(foreignNames.ofSection, name)
          ? foreignNames.ofSection[name as keyof typeof foreignNames.ofSection]
          : [];
        const names = [...savedNames(entry.fields), ...foreign];
        return [name, alsoNamed(section(name, shape).describe(entry.about), names)];
      }),
  );

/** The names of a section's settings in a saved app. */
const savedNames = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, field]) =>
    'savedAs' in field ? [[String(field.savedAs), name] as const] : [],
  );

const eachOf = (shape: Shape, made: (schema: z.ZodType) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, made(schema)]));

/** A field of a request that may be left out; null is the same. */
const unlessGiven = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** The types of payloads follow from the table as their schemas do, which a compiler can't see. */
const asPayload = <Payload>(schema: z.ZodType) => schema as z.ZodType<Payload, Payload>;

/** A link's configuration, as it is stored and shown. */
export const linkPayload = asPayload<LinkPayload>(
  z
    .object({
      link: stored(payloadFields.link),
      ...eachOf(
        shapeOfPayload(
          stored,
          (schema) => schema.optional(),
          (_, shape) => z.object(shape),
        ),
        (schema) => schema.optional(),
      ),
      rules: storedRules.optional(),
    })
    .meta({ id: 'LinkPayload' }),
);

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

const linkName = text(limits.name).describe('Display name.');
const destination = requested(payloadFields.link);
const expiry = timestamp.describe(
  'When the link expires. Must be in the future: ISO 8601 with Z or an offset, or a date alone for its midnight in UTC.',
);

/** Values that aren't strings are a different fault. */
const fitsReferrer = (campaign: Campaign): boolean => {
  const texts = Object.entries(campaign).filter(([, value]) => typeof value === 'string');
  return referrerBytes(Object.fromEntries(texts)) <= limits.campaignBytes;
};

const tooMuchCampaign = faultMessage('referrerBytes', { bytes: limits.campaignBytes });

/** A section of a request; that of an app can be saved. */
const requestSection = (name: PayloadFieldName, shape: Shape): z.ZodType => {
  const app = appSections.find((section) => section.name === name);
  if (name === 'campaign')
    return z.object(shape).refine(fitsReferrer, { when: isObject, error: tooMuchCampaign });
  if (!app) return z.object(shape);
  return z
    .object({ ...shape, ...saving })
    .superRefine(requiredToSave('appName', identifierSetting(app)), { when: isObject });
};

const requestedFields = {
  ...shapeOfPayload(requested, unlessGiven, requestSection),
  rules: requestedRules,
};
const payloadNames = namedPayloadFields.map(([name]) => name);

const requestedPayload = <Payload>(link: z.ZodType, optional: (schema: z.ZodType) => z.ZodType) =>
  asPayload<Payload>(
    alsoNamed(z.object({ link, ...eachOf(requestedFields, optional) }), foreignNames.ofPayload),
  );

/** What other services call the fields of a new link. */
export const foreignLinkNames = foreignNames.ofNewLink(payloadNames);

/** What a request to create a link carries. */
export const linkDraft = alsoNamed(
  z
    .object({
      code: unlessGiven(linkCode.refine((code) => code !== reservedCode, faultMessage('reservedCode'))),
      name: unlessGiven(linkName),
      payload: requestedPayload<PayloadDraft>(destination, unlessGiven),
      expiresAt: unlessGiven(expiry),
    })
    .meta({ id: 'LinkDraft' }),
  foreignLinkNames,
);

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

const changeOf = <Payload extends PayloadEdit>(link: z.ZodType) =>
  z.object({
    name: clearable(linkName),
    payload: requestedPayload<Payload>(link, clearable),
    expiresAt: clearable(expiry),
  });

/** A request to update a link: omitted fields stay, null clears, a section replaces its own. */
export const linkChange = alsoNamed(
  changeOf<PayloadChange>(destination).meta({ id: 'LinkChange' }),
  foreignNames.ofLink(payloadNames),
);

/** The same of an operator: an omitted destination stays, too. */
export const linkEdit = changeOf<PayloadEdit>(destination.optional());

/** The states that a client can request; EXPIRED follows from time, DELETED from a delete. */
export const settableStatus = z.enum(['ACTIVE', 'PAUSED']);
export const linkStatus = z.enum(linkStatuses);

const time = z.iso.datetime();
const count = z.number().int();

const linkFields = {
  id: z.string().describe('Unique identifier of the link.'),
  code: linkCode,
  shortUrl: z.string().describe('Full short URL.'),
  name: z.string().optional().describe('Display name, present if set.'),
  status: linkStatus,
  qrCode: z.string().describe("URL of the link's QR code."),
  createdAt: time.describe('Creation time.'),
  expiresAt: time.optional().describe('Expiry time, present if set.'),
  clickCount: count.describe('Total clicks.'),
};

const aliases = {
  shortLink: z.string().describe('The same as `shortUrl`.'),
  originalUrl: z.string().describe('Destination URL.'),
  previewLink: z.string().describe('The same as `originalUrl`.'),
};

/** A link in the answer to its creation. */
export const createdLink = z.object({ ...linkFields, ...aliases }).meta({ id: 'CreatedLink' });

const listedFields = {
  ...linkFields,
  blocked: z
    .literal(true)
    .optional()
    .describe(
      'Present if the operator of the service has blocked the link: visitors find nothing, and it can only be deleted.',
    ),
  payload: linkPayload,
  projectId: z.string().describe('Owning project.'),
  createdBy: z.string().describe('Who created the link: the user that the key was made for, or `operator`.'),
  updatedAt: time.describe('Last update time. Expiring is not an update.'),
};

/** A link as an item of a list. */
export const listedLink = z.object(listedFields).meta({ id: 'ListedLink' });

const analytics = z
  .object({
    totalClicks: count,
    uniqueClicks: count,
    clicksByPlatform: z.object({ ios: count, android: count, web: count }),
    clicksByCountry: z
      .record(z.string(), count)
      .describe('By ISO 3166 country code, or `other` where the country is unknown.'),
  })
  .meta({ id: 'Analytics' });

/** A link that is fetched by itself. */
export const fetchedLink = z.object({ ...listedFields, ...aliases, analytics }).meta({ id: 'Link' });

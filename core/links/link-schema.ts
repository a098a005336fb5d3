import * as z from 'zod';
import { appSections, settingsOf } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { isObject, text } from '../base/schema.ts';
import type { Field } from '../fields/field.ts';
import { requested, shapeOf, stored } from '../fields/field-schema.ts';
import { alsoNamed, type OtherNames } from '../fields/near-misses.ts';
import { timestamp } from '../fields/time-schema.ts';
import { requestedRules, storedRules } from '../rules/rule-schema.ts';
import { type Campaign, referrerBytes } from './campaign.ts';
import { foreignNames } from './foreign-names.ts';
import { codePattern, linkStatuses, reservedCode } from './link.ts';
import type { PayloadChange, PayloadDraft, PayloadEdit } from './link-draft.ts';
import { type OwnFieldName, ownFieldNames, ownFields } from './own-fields.ts';
import {
  type LinkPayload,
  namedPayloadFields,
  type PayloadFieldName,
  payloadFields,
} from './payload-fields.ts';
import { requestedTags } from './tags-schema.ts';

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
        const names = [...savedNames(name), ...foreign];
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

const storedFields = eachOf(
  shapeOfPayload(
    stored,
    (schema) => schema.optional(),
    (_, shape) => z.object(shape),
  ),
  (schema) => schema.optional(),
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
const time = z.iso.datetime();

type OwnField = (typeof ownFields)[OwnFieldName];
type TagsField = Extract<OwnField, { kind: 'tags' }>;

type OwnSchemas<Text, Tags> = { readonly [Name in OwnFieldName]: Name extends 'tags' ? Tags : Text };

/** A schema for each field beside the payload. */
const ownSchemas = <Text extends z.ZodType, Tags extends z.ZodType>(
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
    return z.object(shape).refine(fitsReferrer, { when: isObject, error: tooMuchCampaign });
  if (!settings) return z.object(shape);
  const identifiers = settings.flatMap(([one, { role }]) => (role === 'identifier' ? [one] : []));
  return z
    .object({ ...shape, ...saving })
    .superRefine(requiredToSave('appName', ...identifiers), { when: isObject });
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

const { expiresAt, ...ownDraft } = ownSchemas(
  (field) => unlessGiven(ownRequest(field)),
  (field) => unlessGiven(ownTags(field)).transform((tags) => (tags?.length ? tags : undefined)),
);

/** What a request to create a link carries. */
export const linkDraft = alsoNamed(
  z
    .object({
      code: unlessGiven(linkCode.refine((code) => code !== reservedCode, faultMessage('reservedCode'))),
      ...ownDraft,
      payload: requestedPayload<PayloadDraft>(destination, unlessGiven),
      expiresAt,
    })
    .meta({ id: 'LinkDraft' }),
  foreignLinkNames,
);

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
const { expiresAt: changedExpiry, ...ownChange } = ownSchemas(
  (field) => clearable(ownRequest(field)),
  (field) => clearable(ownTags(field)),
);

const changeOf = <Payload extends PayloadEdit>(link: z.ZodType) =>
  z.object({
    ...ownChange,
    payload: requestedPayload<Payload>(link, clearable),
    expiresAt: changedExpiry,
  });

/** A request to update a link: omitted fields stay, null clears, a section replaces its own. */
export const linkChange = alsoNamed(
  changeOf<PayloadChange>(destination).meta({ id: 'LinkChange' }),
  foreignNames.ofLink(payloadNames),
);

/** The same of an operator: an omitted destination stays, too. */
export const linkEdit = alsoNamed(
  changeOf<PayloadEdit>(destination.optional()),
  foreignNames.ofLink(payloadNames),
);

/** The states that a client can request; EXPIRED follows from time, DELETED from a delete. */
export const settableStatus = z.enum(['ACTIVE', 'PAUSED']);
export const linkStatus = z.enum(linkStatuses);

const shownTags: z.ZodType<readonly string[], readonly string[]> = z.array(z.string());
const { expiresAt: shownExpiry, ...shownOwn } = ownSchemas(
  (field) => (field.kind === 'time' ? time : z.string()).optional().describe(field.shown),
  ({ shown }) => shownTags.optional().describe(shown),
);
const count = z.number().int();

const linkFields = {
  id: z.string().describe('Unique identifier of the link.'),
  code: linkCode,
  shortUrl: z.string().describe('Full short URL.'),
  ...shownOwn,
  status: linkStatus,
  qrCode: z.string().describe("URL of the link's QR code."),
  createdAt: time.describe('Creation time.'),
  expiresAt: shownExpiry,
  clickCount: count.describe('Total clicks.'),
};

const aliases = {
  shortLink: z.string().describe('The same as `shortUrl`.'),
  originalUrl: z.string().describe('Destination URL.'),
  previewLink: z.string().describe('The same as `originalUrl`.'),
};

/** A link in the response to its creation. */
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

import * as z from 'zod';
import type { AppSectionName } from '../apps/app-fields.ts';
import type { Fault } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { isObject, text } from '../base/schema.ts';
import type { Field, Texts } from '../fields/field.ts';
import { requested as requestedText } from '../fields/field-schema.ts';
import { alsoNamed, sentBack } from '../fields/other-names.ts';
import { schemaFault } from '../fields/schema-faults.ts';
import { patchedTexts, requestedTexts, textsFaults } from '../fields/texts-schema.ts';
import { timestamp } from '../fields/time-schema.ts';
import { requestedRules } from '../rules/rule-schema.ts';
import { type Campaign, referrerBytes } from './campaign.ts';
import { fieldAliases } from './foreign-names.ts';
import { reservedCode } from './link.ts';
import type { PayloadDraft, SentPayload } from './link-draft.ts';
import {
  type LinkPayload,
  namedPayloadFields,
  type PayloadFieldName,
  payloadFields,
} from './payload-fields.ts';
import { settableStatus } from './shown-link-schema.ts';
import {
  appSettingsSchema,
  asPayload,
  linkCode,
  mapShape,
  type OwnField,
  ownSchemas,
  type Shape,
  shapeOfPayload,
  type TagsField,
} from './stored-link-schema.ts';
import { storedTags, tagPattern } from './tags.ts';

/** An optional field of a request; null means omitted. */
const unlessGiven = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Fields for saving a section's settings as an app. */
const saving = {
  saveApp: unlessGiven(
    z.boolean().describe('Save these settings as a new reusable mobile app. Not stored with the link.'),
  ),
  appName: unlessGiven(text(limits.name).describe('Name of the saved app; required with `saveApp`.')),
};

type Saving = { readonly saveApp?: boolean | undefined } & Readonly<Record<string, unknown>>;

/** A check for the fields that saving an app requires. It also runs if other fields have faults. */
const requiredToSave =
  (...fields: readonly string[]) =>
  (given: Saving, context: z.RefinementCtx) => {
    for (const field of given.saveApp === true ? fields.filter((name) => !given[name]) : []) {
      context.addIssue({ code: 'custom', path: [field], message: faultMessage('requiredToSave') });
    }
  };

/** Tags to add or remove, in stored form. */
export const namedTags: z.ZodType<string[], readonly string[]> = z
  .array(z.string().regex(tagPattern, faultMessage('tag')))
  .transform(storedTags);

/** Tags in a request. Repeats are dropped before counting. */
export const requestedTags = namedTags.refine(
  (tags) => tags.length <= limits.tagsPerLink,
  faultMessage('tooManyItems', { count: limits.tagsPerLink }),
);

const requested = (field: Field | Texts): z.ZodType =>
  field.kind === 'texts' ? requestedTexts(field) : requestedText(field);

const destination = requested(payloadFields.link);

const ownRequest = (field: Exclude<OwnField, TagsField>) =>
  (field.kind === 'time' ? timestamp : text(field.max)).describe(field.about);
const ownTags = ({ about }: TagsField) => requestedTags.describe(about);

/** Whether a campaign fits in the referrer. Values that aren't strings are a different fault. */
const fitsReferrer = (campaign: Campaign): boolean => {
  const texts = Object.entries(campaign).filter(([, value]) => typeof value === 'string');
  return referrerBytes(Object.fromEntries(texts)) <= limits.campaignBytes;
};

const tooMuchCampaign = faultMessage('referrerBytes', { bytes: limits.campaignBytes });

/** The schema of a section in a request; apps' sections can be saved. */
const requestSection = (name: PayloadFieldName, shape: Shape): z.ZodType => {
  const settings = appSettingsSchema(name);
  if (name === 'campaign')
    return z.object(shape).refine(fitsReferrer, { when: isObject, error: tooMuchCampaign });
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
) => asPayload<Payload>(alsoNamed(z.object({ link, ...mapShape(fields, optional) }), fieldAliases.ofPayload));

/** The payload of a share link's template: that of a link, without rules and saved settings, and without other names. */
export const templatePayload = asPayload<LinkPayload>(
  z.strictObject({
    link: destination,
    ...mapShape(
      shapeOfPayload(requested, unlessGiven, (name, shape) =>
        name === 'campaign'
          ? z.strictObject(shape).refine(fitsReferrer, { when: isObject, error: tooMuchCampaign })
          : z.strictObject(shape),
      ),
      unlessGiven,
    ),
  }),
);

/** Other services' names for the fields of a new link. */
export const foreignLinkNames = fieldAliases.ofNewLink(payloadNames);

const { expiresAt, ...ownDraft } = ownSchemas(
  (field) => unlessGiven(ownRequest(field)),
  (field) => unlessGiven(ownTags(field)).transform((tags) => (tags?.length ? tags : undefined)),
);

/** A request to create a link. */
export const linkDraft = alsoNamed(
  z
    .object({
      code: unlessGiven(linkCode.refine((code) => code !== reservedCode, faultMessage('reservedCode'))),
      ...ownDraft,
      status: unlessGiven(settableStatus).describe('`ACTIVE` by default; `PAUSED` makes a paused link.'),
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

const changeShape = <Payload extends z.ZodType>(payload: Payload) => ({
  ...ownChange,
  payload,
  expiresAt: changedExpiry,
  code: sentBack,
  status: sentBack,
});
const changeNames = fieldAliases.ofLink(payloadNames);

const changeOf = <Payload extends z.ZodType>(payload: Payload, meta: { readonly id?: string } = {}) =>
  alsoNamed(z.object(changeShape(payload)).meta(meta), changeNames);

/** A request to update a link: omitted fields stay, null clears, and sections are replaced. */
export const linkChange = changeOf(requestedPayload<SentPayload>(destination, clearable), {
  id: 'LinkChange',
});

/** An operator's update, in which the destination may also be omitted. */
export const linkEdit = changeOf(requestedPayload<SentPayload>(destination.optional(), clearable).optional());

/** The fields of a patch: omitted fields of a section stay, and null clears one. */
const patchFields = {
  ...shapeOfPayload(requested, clearable, (name, shape) =>
    z.object({ ...shape, ...(appSettingsSchema(name) && saving) }),
  ),
  data: patchedTexts(payloadFields.data),
  rules: requestedRules,
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Faults of a patch's lists of tags together. It also runs if fields have faults. */
const tagChangeFaults = (
  { tags, addTags, removeTags }: Readonly<Partial<Record<'tags' | 'addTags' | 'removeTags', unknown>>>,
  context: z.RefinementCtx,
) => {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (tags !== undefined)
    for (const [name, given] of Object.entries({ addTags, removeTags }))
      if (isList(given)) refuse(name, faultMessage('notWithTags'));
  if (isList(addTags) && isList(removeTags) && addTags.some((tag) => removeTags.includes(tag)))
    refuse('removeTags', faultMessage('addedTags'));
};

/** A JSON Merge Patch of a link: omitted fields stay, including in sections, and null clears. */
export const linkPatch = alsoNamed(
  z
    .object({
      ...changeShape(
        requestedPayload<SentPayload>(destination.optional(), clearable, patchFields).optional(),
      ),
      addTags: clearable(requestedTags),
      removeTags: clearable(requestedTags),
    })
    .superRefine(tagChangeFaults, { when: isObject })
    .meta({ id: 'LinkPatch' }),
  changeNames,
);

/** Faults of a section's settings that can't be saved as an app. */
export const savingFaults = (name: AppSectionName, settings: unknown): Fault[] => {
  const { error } = requestedFields[name].safeParse(settings, { error: schemaFault });
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: ['payload', name, ...path].join('.'),
    message,
  }));
};

/** Faults of a campaign or app data that is too long as a whole. */
export const wholeFaults = ({ campaign, data }: Pick<SentPayload, 'campaign' | 'data'>): Fault[] => [
  ...(fitsReferrer(campaign ?? {}) ? [] : [{ field: 'payload.campaign', message: tooMuchCampaign }]),
  ...textsFaults('payload.data', data ?? {}),
];

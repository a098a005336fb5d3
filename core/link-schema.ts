import * as z from 'zod';
import { limits } from './limits.ts';
import { codePattern, linkStatuses } from './link.ts';
import { appStoreId } from './mobile-app-schema.ts';
import { isObject, text } from './schema.ts';
import { webAddress } from './web-address-schema.ts';

export const linkCode = z
  .string()
  .regex(
    codePattern,
    `must be ${limits.code.min} to ${limits.code.max} letters, digits, hyphens or underscores`,
  )
  .meta({ description: 'Short code, unique in the project and case sensitive.', examples: ['launch'] });

/** A point in time with its offset, normalised to UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .max(limits.version)
  // An offset can carry a moment out of the years that are written with four digits, and so compare as text.
  .refine((value) => new Date(value).toISOString().length === 24, 'must be before the year 10000')
  .transform((value) => new Date(value).toISOString());

const section = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial();

/** The parts of a payload, with or without the rules that a request must meet. */
const payloadSections = ({
  text,
  address,
  storeId,
}: {
  text: Text;
  address: z.ZodString;
  storeId: z.ZodString;
}) => ({
  iosAppId: text(limits.identifier).meta({ description: 'Id of a saved iOS app of the project.' }),
  androidAppId: text(limits.identifier).meta({ description: 'Id of a saved Android app of the project.' }),
  android: section({
    package: text(limits.identifier),
    store_fallback: address,
    min_version: text(limits.version),
  }),
  ios: section({
    bundleId: text(limits.identifier),
    app_store_fallback: address,
    app_store_id: storeId,
    min_version: text(limits.version),
  }),
  social: section({
    title: text(limits.socialTitle),
    description: text(limits.socialDescription),
    image: address,
  }),
  campaign: section({
    utm_source: text(limits.campaignValue),
    utm_medium: text(limits.campaignValue),
    utm_campaign: text(limits.campaignValue),
    utm_term: text(limits.campaignValue),
    utm_content: text(limits.campaignValue),
  }),
  desktop_fallback: address,
});
type Text = (max: number) => z.ZodString;

const sections = payloadSections({ text, address: webAddress, storeId: appStoreId });

/**
 * A link's configuration, as it is stored and shown: without the rules, so that one that is added later hides no
 * link that was stored before.
 */
export const linkPayload = section(
  payloadSections({ text: () => z.string(), address: z.string(), storeId: z.string() }),
).extend({ link: z.string() });

/** Settings of a request may be saved as an app of their own. */
const saving = {
  saveApp: z.boolean().optional().meta({ description: 'Save these settings as a new reusable mobile app.' }),
  appName: text(limits.name)
    .optional()
    .meta({ description: 'Name of the saved app; required with `saveApp`.' }),
};

type Saving = { readonly saveApp?: boolean | undefined } & Readonly<Record<string, unknown>>;

/** What saving settings as an app takes. Faults of other fields don't hide it. */
const requiredToSave =
  (...fields: readonly string[]) =>
  (given: Saving, context: z.RefinementCtx) => {
    for (const field of given.saveApp === true ? fields.filter((name) => !given[name]) : []) {
      context.addIssue({ code: 'custom', path: [field], message: 'is required with saveApp' });
    }
  };

const draftSections = {
  ...sections,
  android: sections.android
    .extend(saving)
    .superRefine(requiredToSave('appName', 'package'), { when: isObject }),
  ios: sections.ios.extend(saving).superRefine(requiredToSave('appName', 'bundleId'), { when: isObject }),
};

/** What a request to create a link carries. */
export const linkDraft = z.object({
  code: linkCode.optional(),
  name: text(limits.name).optional(),
  payload: section(draftSections).extend({ link: webAddress }),
  expiresAt: timestamp.optional(),
});

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

/** What a request to update a link carries: what is left out is kept, null clears, a section replaces itself whole. */
export const linkChange = z.object({
  name: clearable(text(limits.name)),
  payload: z.object({
    link: webAddress,
    iosAppId: clearable(draftSections.iosAppId),
    androidAppId: clearable(draftSections.androidAppId),
    android: clearable(draftSections.android),
    ios: clearable(draftSections.ios),
    social: clearable(draftSections.social),
    campaign: clearable(draftSections.campaign),
    desktop_fallback: clearable(draftSections.desktop_fallback),
  }),
  expiresAt: clearable(timestamp),
});

/** The states that a client can ask for; EXPIRED and DELETED come about by themselves or by a delete. */
export const settableStatus = z.enum(['ACTIVE', 'PAUSED']);
export const linkStatus = z.enum(linkStatuses);

const optionalTime = z.iso.datetime().optional();

const linkFields = {
  id: z.string(),
  code: linkCode,
  shortUrl: z.string(),
  name: z.string().optional(),
  status: linkStatus,
  qrCode: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: optionalTime,
  clickCount: z.number().int(),
};

const aliases = { shortLink: z.string(), originalUrl: z.string(), previewLink: z.string() };

/** A link in the answer to its creation. */
export const createdLink = z.object({ ...linkFields, ...aliases });

/** A link as an item of a list. */
export const listedLink = z.object({
  ...linkFields,
  payload: linkPayload,
  projectId: z.string(),
  createdBy: z.string(),
  updatedAt: z.iso.datetime(),
});

const count = z.number().int();

const analytics = z.object({
  totalClicks: count,
  uniqueClicks: count,
  clicksByPlatform: z.object({ ios: count, android: count, web: count }),
  clicksByCountry: z.record(z.string(), count),
});

/** A link that is fetched by itself. */
export const fetchedLink = listedLink.extend({ ...aliases, analytics });

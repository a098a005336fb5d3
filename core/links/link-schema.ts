import * as z from 'zod';
import { appStoreId } from '../apps/mobile-app-schema.ts';
import { limits } from '../limits.ts';
import { isObject, text } from '../schema.ts';
import { webAddress } from '../short-urls/web-address-schema.ts';
import { codePattern, linkStatuses } from './link.ts';

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
  .refine((value) => !(new Date(value).getUTCFullYear() > 9999), 'must be before the year 10000')
  .transform((value) => new Date(value).toISOString())
  .meta({ examples: ['2030-01-01T00:00:00Z'] });

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
  iosAppId: text(limits.identifier).describe(
    "Id of a saved iOS app of the project. The app's settings are used instead of those in `ios`.",
  ),
  androidAppId: text(limits.identifier).describe(
    "Id of a saved Android app of the project. The app's settings are used instead of those in `android`.",
  ),
  android: section({
    package: text(limits.identifier).describe('Android package name.'),
    store_fallback: address.describe('Android store URL for users without the app.'),
    min_version: text(limits.version).describe('Minimum app version that handles the deep link.'),
  }).describe('Android settings.'),
  ios: section({
    bundleId: text(limits.identifier).describe('iOS bundle identifier.'),
    app_store_fallback: address.describe('iOS store URL for users without the app.'),
    app_store_id: storeId.describe('iOS store app id.'),
    min_version: text(limits.version).describe('Minimum app version.'),
  }).describe('iOS settings.'),
  social: section({
    title: text(limits.socialTitle).describe('Preview title.'),
    description: text(limits.socialDescription).describe('Preview description.'),
    image: address.describe('Preview image URL.'),
  }).describe('Social preview.'),
  campaign: section({
    utm_source: text(limits.campaignValue),
    utm_medium: text(limits.campaignValue),
    utm_campaign: text(limits.campaignValue),
    utm_term: text(limits.campaignValue),
    utm_content: text(limits.campaignValue),
  }).describe('Analytics parameters.'),
  desktop_fallback: address.describe('Fallback URL for desktop users.'),
});
type Text = (max: number) => z.ZodString;

const sections = payloadSections({ text, address: webAddress, storeId: appStoreId });

/**
 * A link's configuration, as it is stored and shown: without the rules, so that one that is added later hides no
 * link that was stored before.
 */
export const linkPayload = section(
  payloadSections({ text: () => z.string(), address: z.string(), storeId: z.string() }),
)
  .extend({ link: z.string().describe('Destination URL.') })
  .meta({ id: 'LinkPayload' });

/** Settings of a request may be saved as an app of their own. */
const saving = {
  saveApp: z
    .boolean()
    .optional()
    .describe('Save these settings as a new reusable mobile app. Not stored with the link.'),
  appName: text(limits.name).optional().describe('Name of the saved app; required with `saveApp`.'),
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

const linkName = text(limits.name).describe('Display name.');
const destination = webAddress.describe('Destination URL: absolute, http or https, on a public host.');
const expiry = timestamp.describe('When the link becomes inactive: ISO 8601 with an offset, in the future.');

const draftSections = {
  ...sections,
  android: sections.android
    .extend(saving)
    .superRefine(requiredToSave('appName', 'package'), { when: isObject }),
  ios: sections.ios.extend(saving).superRefine(requiredToSave('appName', 'bundleId'), { when: isObject }),
};

/** What a request to create a link carries. */
export const linkDraft = z
  .object({
    code: linkCode.optional(),
    name: linkName.optional(),
    payload: section(draftSections).extend({ link: destination }),
    expiresAt: expiry.optional(),
  })
  .meta({ id: 'LinkDraft' });

const clearable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

/** What a request to update a link carries: what is left out is kept, null clears, a section replaces itself whole. */
export const linkChange = z
  .object({
    name: clearable(linkName),
    payload: z.object({
      link: destination,
      iosAppId: clearable(draftSections.iosAppId),
      androidAppId: clearable(draftSections.androidAppId),
      android: clearable(draftSections.android),
      ios: clearable(draftSections.ios),
      social: clearable(draftSections.social),
      campaign: clearable(draftSections.campaign),
      desktop_fallback: clearable(draftSections.desktop_fallback),
    }),
    expiresAt: clearable(expiry),
  })
  .meta({ id: 'LinkChange' });

/** The states that a client can ask for; EXPIRED and DELETED come about by themselves or by a delete. */
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
  payload: linkPayload,
  projectId: z.string().describe('Owning project.'),
  createdBy: z.string().describe('Id of the creating user.'),
  updatedAt: time.describe('Last update time. An expiry does not move it.'),
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

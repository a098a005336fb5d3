import * as z from 'zod';
import { limits } from './limits.ts';
import { codePattern, linkStatuses } from './link.ts';
import { webAddressFault } from './web-address.ts';

export const linkCode = z
  .string()
  .regex(
    codePattern,
    `must be ${limits.code.min} to ${limits.code.max} letters, digits, hyphens or underscores`,
  )
  .meta({ description: 'Short code, unique in the project and case sensitive.', examples: ['launch'] });

/** An absolute http(s) address of a public host, kept as it was sent. */
export const webAddress = z
  .string()
  .max(limits.url)
  .superRefine((text, context) => {
    const fault = webAddressFault(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  })
  .meta({ format: 'uri', examples: ['https://example.com/landing'] });

/** A point in time with its offset, normalised to UTC with milliseconds. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .max(limits.identifier)
  .transform((text) => new Date(text).toISOString());

const text = (max: number) => z.string().max(max);

const section = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial();

const androidSettings = section({
  package: text(limits.identifier),
  store_fallback: webAddress,
  min_version: text(limits.version),
});

const iosSettings = section({
  bundleId: text(limits.identifier),
  app_store_fallback: webAddress,
  app_store_id: z.string().regex(/^\d{1,20}$/, 'must be a numeric App Store id of at most 20 digits'),
  min_version: text(limits.version),
});

const socialPreview = section({
  title: text(limits.socialTitle),
  description: text(limits.socialDescription),
  image: webAddress,
});

const campaign = section({
  utm_source: text(limits.campaignValue),
  utm_medium: text(limits.campaignValue),
  utm_campaign: text(limits.campaignValue),
  utm_term: text(limits.campaignValue),
  utm_content: text(limits.campaignValue),
});

/** A link's configuration, as it is stored and shown. */
export const linkPayload = z.object({
  link: webAddress,
  iosAppId: text(limits.identifier).optional(),
  androidAppId: text(limits.identifier).optional(),
  android: androidSettings.optional(),
  ios: iosSettings.optional(),
  social: socialPreview.optional(),
  campaign: campaign.optional(),
  desktop_fallback: webAddress.optional(),
});

/** What a request to create a link carries. */
export const linkDraft = z.object({
  code: linkCode.optional(),
  name: text(limits.name).optional(),
  payload: linkPayload,
  expiresAt: timestamp.optional(),
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

const analytics = z.object({
  totalClicks: z.number().int(),
  uniqueClicks: z.number().int(),
  clicksByPlatform: z.object({
    ios: z.number().int(),
    android: z.number().int(),
    web: z.number().int(),
  }),
  clicksByCountry: z.record(z.string(), z.number().int()),
});

/** A link that is fetched by itself. */
export const fetchedLink = listedLink.extend({ ...aliases, analytics });

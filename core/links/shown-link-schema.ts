import * as z from 'zod';
import { linkStatuses, settableStatuses } from './link.ts';
import { linkCode, linkPayload, ownSchemas } from './stored-link-schema.ts';

/* Schemas of links in responses. */

const time = z.iso.datetime();

export const settableStatus = z.enum(settableStatuses);
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
  blocked: z.literal(true).optional(),
  payload: linkPayload,
  projectId: z.string().describe('Owning project.'),
  createdBy: z.string().describe('Who created the link: the user that the key was made for, or `operator`.'),
  updatedAt: time.describe('Last update time. Expiring is not an update.'),
};

export const listedLink = z.object(listedFields).meta({ id: 'ListedLink' });

const analytics = z
  .object({
    totalClicks: count,
    uniqueClicks: count,
    clicksByPlatform: z.object({ ios: count, android: count, web: count }),
    clicksByCountry: z.record(z.string(), count),
  })
  .meta({ id: 'LinkAnalytics' });

/** A link in the response to a get. */
export const fetchedLink = z.object({ ...listedFields, ...aliases, analytics }).meta({ id: 'Link' });

import * as z from 'zod';
import { limits } from '../limits.ts';
import {
  createdLink,
  fetchedLink,
  linkChange,
  linkCode,
  linkDraft,
  linkStatus,
  listedLink,
  settableStatus,
} from '../links/link-schema.ts';
import { faultMessage, linkNotFound } from '../messages.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ code: linkCode });

/** A number in a query string: digits only, without blanks, signs or fractions. */
const wholeNumber = (min: number, max = 10 ** 15 - 1) =>
  z
    .string()
    .regex(/^\d{1,15}$/, faultMessage('notWhole'))
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

const noSuchLink = 'No link with this code in the project.';

const oneLink = { params, unmatched: linkNotFound, tag: 'Links' } as const;

const savingScope =
  'To save an app with the link (`saveApp`), the key also needs the permission `apps:write`; to reference a saved app it does not.';

export const createLink = endpoint({
  method: 'POST',
  path: '/links',
  tag: 'Links',
  summary: 'Create link',
  description: `Without \`code\`, the service generates a random one that no other project uses. ${savingScope}`,
  body: linkDraft,
  status: 201,
  result: createdLink,
  location: 'code',
  timestamp: 'success',
  failures: {
    CODE_ALREADY_EXISTS: 'The project uses the requested code, or used it for a link that was deleted.',
    SUBSCRIPTION_REQUIRED: 'The project has no active subscription.',
    LIMIT_REACHED: 'The project has as many links as the operator of the service allows.',
  },
  scope: 'links:write',
  idempotent: 'one',
  uses: ['projects.get', 'apps.existing', 'destinations.hosts', 'links.create', 'links.room'],
});

const itemResult = z.union([
  z.object({ index: z.number().int(), success: z.literal(true), link: createdLink }),
  z.object({
    index: z.number().int(),
    success: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
]);

const many = <Item extends z.ZodType>(item: Item) =>
  z.object({ links: z.array(item).min(1).max(limits.bulkLinks) });

export const createLinks = endpoint({
  method: 'POST',
  path: '/links/bulk',
  tag: 'Links',
  summary: 'Create links in bulk',
  description: `Creates up to ${limits.bulkLinks} links. Each succeeds or fails on its own, and results have the order of the request. If several links have the same code, the first valid one gets it. Counts as one request. ${savingScope}`,
  // Each link is parsed alone, so that one with faults doesn't fail the others.
  body: many(z.unknown()),
  describedBody: many(linkDraft).meta({ id: 'LinkDrafts' }),
  bodyBytes: limits.bulkBodyBytes,
  timeoutSeconds: 28,
  status: 200,
  result: z.object({
    created: z.number().int().describe('Links that this call created.'),
    failed: z.number().int().describe('Links that this call could not create.'),
    results: z.array(itemResult),
  }),
  failures: { SUBSCRIPTION_REQUIRED: 'The project has no active subscription.' },
  scope: 'links:write',
  idempotent: 'many',
  uses: ['projects.get', 'apps.existing', 'destinations.hosts', 'links.create', 'links.room'],
});

export const listLinks = endpoint({
  method: 'GET',
  path: '/links',
  tag: 'Links',
  summary: 'List links',
  description: 'Lists the links, newest first. A page past the end is empty and still shows the total.',
  query: z.object({
    page: wholeNumber(1).default(1).describe('Number of the page, from 1.'),
    pageSize: wholeNumber(1, limits.pageSize.max)
      .default(limits.pageSize.default)
      .describe('Links per page.'),
  }),
  status: 200,
  result: z.array(listedLink),
  pagination: z.object({
    page: z.number().int(),
    pageSize: z.number().int(),
    total: z.number().int(),
    totalPages: z.number().int(),
  }),
  failures: {},
  scope: 'links:read',
  uses: ['projects.get', 'apps.existing', 'links.page'],
});

export const getLink = endpoint({
  ...oneLink,
  method: 'GET',
  path: '/links/{code}',
  summary: 'Get link',
  description: 'Returns the link with its configuration and click analytics.',
  status: 200,
  result: fetchedLink,
  timestamp: 'success',
  failures: { LINK_NOT_FOUND: noSuchLink },
  scope: 'links:read',
  uses: ['projects.get', 'apps.existing', 'links.get'],
});

export const updateLink = endpoint({
  ...oneLink,
  method: 'PUT',
  path: '/links/{code}',
  summary: 'Update link',
  description: `The body needs \`payload\` with \`link\`. Other fields that you omit keep their values, and null clears a field. A section of the payload, such as \`android\`, replaces the whole section. The code never changes. ${savingScope}`,
  body: linkChange,
  status: 200,
  result: z.object({ message: z.string() }),
  failures: {
    LINK_NOT_FOUND: noSuchLink,
    LINK_EXPIRED: 'The link has expired and cannot be edited.',
    BAD_REQUEST: 'The operator of the service has blocked the link.',
  },
  plain: ['LINK_NOT_FOUND', 'LINK_EXPIRED'],
  scope: 'links:write',
  uses: ['apps.existing', 'destinations.hosts', 'links.update'],
});

export const updateLinkStatus = endpoint({
  ...oneLink,
  method: 'PUT',
  path: '/links/{code}/status',
  summary: 'Update link status',
  description: 'Pauses a link or activates it again. An expired link cannot be reactivated.',
  body: z.object({ status: settableStatus }),
  status: 200,
  result: z.object({
    message: z.string(),
    id: z.string(),
    code: linkCode,
    status: linkStatus,
    updatedAt: z.iso.datetime(),
  }),
  failures: {
    LINK_NOT_FOUND: noSuchLink,
    BAD_REQUEST: 'The link already has this status, has expired or is blocked by the operator.',
  },
  scope: 'links:write',
  uses: ['links.setStatus'],
});

export const deleteLink = endpoint({
  ...oneLink,
  method: 'DELETE',
  path: '/links/{code}',
  summary: 'Delete link',
  description:
    'Deletes the link for good. Its code stays taken, so that a printed code never leads elsewhere.',
  status: 200,
  result: z.object({ message: z.string(), id: z.string(), code: linkCode }),
  failures: { LINK_NOT_FOUND: noSuchLink },
  scope: 'links:delete',
  uses: ['links.delete'],
});

export const checkCode = endpoint({
  method: 'GET',
  path: '/links/check/{code}',
  tag: 'Links',
  summary: 'Check code availability',
  description: 'Checks whether a new link can have this code. Codes of deleted links stay taken.',
  params,
  status: 200,
  result: z.object({ code: linkCode, available: z.boolean(), message: z.string() }),
  failures: {},
  scope: 'links:read',
  uses: ['links.code'],
});

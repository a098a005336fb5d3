import * as z from 'zod';
import { fetchedLink, linkStatus, listedLink, settableStatus } from '../links/shown-link-schema.ts';
import { linkCode } from '../links/stored-link-schema.ts';
import { endpoint } from './endpoint.ts';
import { answeredAt, exampleAliases, exampleCode, exampleLink, exampleListed } from './examples.ts';
import { linkQuery } from './link-query.ts';
import { noSuchLink, oneLink, params } from './one-link.ts';

export const listLinks = endpoint({
  method: 'GET',
  path: '/links',
  tag: 'Links',
  summary: 'List links',
  query: linkQuery,
  result: z.array(listedLink),
  pagination: z.union([
    z.object({
      page: z.number().int(),
      pageSize: z.number().int(),
      total: z.number().int(),
      totalPages: z.number().int(),
    }),
    z.object({
      pageSize: z.number().int(),
      nextCursor: z.string().nullable().describe('Where the next page begins; null if no link is left.'),
    }),
  ]),
  scope: 'links:read',
  uses: ['projects.get', 'apps.existing', 'links.page', 'links.walk'],
  example: {
    query: { tag: 'summer', status: 'ACTIVE', pageSize: '50', cursor: '' },
    data: [{ ...exampleListed, clickCount: 3 }],
    pagination: { pageSize: 50, nextCursor: null },
  },
});

export const getLink = endpoint({
  ...oneLink,
  method: 'GET',
  path: '/links/{code}',
  summary: 'Get link',
  result: fetchedLink,
  timestamp: 'success',
  failures: { LINK_NOT_FOUND: noSuchLink },
  scope: 'links:read',
  uses: ['projects.get', 'apps.existing', 'links.get', 'takedowns.isKeyBlocked'],
  example: {
    params: exampleCode,
    data: {
      ...exampleListed,
      ...exampleAliases,
      clickCount: 3,
      analytics: {
        totalClicks: 3,
        uniqueClicks: 2,
        clicksByPlatform: { ios: 2, android: 0, web: 1 },
        clicksByCountry: { DE: 2, other: 1 },
      },
    },
  },
});

export const updateLinkStatus = endpoint({
  ...oneLink,
  method: 'PUT',
  path: '/links/{code}/status',
  summary: 'Update link status',
  body: z.object({ status: settableStatus }),
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
  example: {
    params: exampleCode,
    body: { status: 'PAUSED' },
    data: {
      message: 'The link is now PAUSED',
      id: exampleLink.id,
      code: exampleLink.code,
      status: 'PAUSED',
      updatedAt: answeredAt,
    },
  },
});

export const deleteLink = endpoint({
  ...oneLink,
  method: 'DELETE',
  path: '/links/{code}',
  summary: 'Delete link',
  result: z.object({ message: z.string(), id: z.string(), code: linkCode }),
  failures: { LINK_NOT_FOUND: noSuchLink },
  scope: 'links:delete',
  uses: ['links.delete'],
  example: {
    params: exampleCode,
    data: { message: 'The link was deleted', id: exampleLink.id, code: exampleLink.code },
  },
});

export const checkCode = endpoint({
  method: 'GET',
  path: '/links/check/{code}',
  tag: 'Links',
  summary: 'Check code availability',
  params,
  result: z.object({ code: linkCode, available: z.boolean(), message: z.string() }),
  scope: 'links:read',
  uses: ['links.isTaken'],
  example: {
    params: exampleCode,
    data: { code: exampleLink.code, available: false, message: 'The code is in use in the project, or was' },
  },
});

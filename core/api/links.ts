import * as z from 'zod';
import { linkNotFound } from '../failure.ts';
import { createdLink, fetchedLink, linkCode, linkDraft, linkStatus, settableStatus } from '../link-schema.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ code: linkCode });

const noSuchLink = 'No link with this code in the project.';

const oneLink = { params, unmatched: linkNotFound, tag: 'Links' } as const;

export const createLink = endpoint({
  method: 'POST',
  path: '/links',
  tag: 'Links',
  summary: 'Create link',
  description: 'Without `code`, a random one is generated that is unique across the whole platform.',
  body: linkDraft,
  status: 201,
  result: createdLink,
  location: 'code',
  timestamp: 'success',
  failures: {
    CODE_ALREADY_EXISTS: 'The requested code is already in use in the project.',
    SUBSCRIPTION_REQUIRED: 'The project has no active subscription.',
  },
  scope: 'links:write',
  uses: ['projects.get', 'apps.get', 'links.create'],
});

export const getLink = endpoint({
  ...oneLink,
  method: 'GET',
  path: '/links/{code}',
  summary: 'Get link',
  description: 'The link with its configuration and its click analytics.',
  status: 200,
  result: fetchedLink,
  timestamp: 'success',
  failures: { LINK_NOT_FOUND: noSuchLink },
  scope: 'links:read',
  uses: ['projects.get', 'links.get'],
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
    BAD_REQUEST: 'The link already has this status, or it has expired.',
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
    'The link disappears from every answer. Its code stays taken: a printed code never leads elsewhere.',
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
  params,
  status: 200,
  result: z.object({ code: linkCode, available: z.boolean(), message: z.string() }),
  failures: {},
  scope: 'links:read',
  uses: ['links.code'],
});

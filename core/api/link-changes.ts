import * as z from 'zod';
import { examplePayload } from '../links/example-payload.ts';
import { linkChange, linkPatch } from '../links/link-schema.ts';
import { endpoint } from './endpoint.ts';
import { exampleCode, savingScope } from './examples.ts';
import { noSuchLink, oneLink } from './one-link.ts';

/* PUT and PATCH share a function: both change one item with the same permissions, and another function costs ten resources. */
/* Creating the schemas of whole links slows cold starts, so other functions don't load them. */

const kept =
  'The code never changes, and `PUT /links/{code}/status` changes the status; either is refused unless it is the one of the link.';

/** Shared parts of the contracts for whole and partial updates. */
const changesLink = {
  ...oneLink,
  result: z.object({ message: z.string() }),
  failures: {
    LINK_NOT_FOUND: noSuchLink,
    LINK_EXPIRED: 'The link has expired and cannot be edited.',
    BAD_REQUEST: 'The operator of the service has blocked the link.',
  },
  plain: ['LINK_NOT_FOUND', 'LINK_EXPIRED'],
  scope: 'links:write',
  uses: ['apps.existing', 'destinations.hosts', 'links.update'],
} as const;

export const updateLink = endpoint({
  ...changesLink,
  method: 'PUT',
  path: '/links/{code}',
  summary: 'Update link',
  description: `The body needs \`payload\` with \`link\`. Other fields that you omit keep their values, and null clears a field. A section of the payload, such as \`android\`, replaces the whole section. ${kept} ${savingScope}`,
  body: linkChange,
  example: {
    params: exampleCode,
    body: { name: 'Summer sale, last days', payload: { link: examplePayload.link, social: null } },
    data: { message: 'The link was updated' },
  },
});

export const patchLink = endpoint({
  ...changesLink,
  method: 'PATCH',
  path: '/links/{code}',
  servedBy: 'updateLink',
  summary: 'Change parts of a link',
  description: `A JSON Merge Patch (RFC 7396) of \`name\`, \`tags\`, \`expiresAt\` and \`payload\`, merged into the link as \`GET\` shows it, without what saved apps add. What you omit stays, also inside a section of the payload; null clears a field or a section; lists (\`tags\`, \`rules\`) are replaced, unless \`addTags\` and \`removeTags\` change the stored tags. Only what the patch names is checked. A patch that changes nothing leaves \`updatedAt\`. ${kept} ${savingScope}`,
  body: linkPatch,
  bodyTypes: ['application/merge-patch+json'],
  example: {
    params: exampleCode,
    body: { name: 'Summer sale, last days', payload: { social: { title: 'Last days' } } },
    data: { message: 'The link was updated' },
  },
});

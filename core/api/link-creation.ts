import { linkDraft } from '../links/link-schema.ts';
import { createdLink } from '../links/shown-link-schema.ts';
import { endpoint } from './endpoint.ts';
import { exampleAliases, exampleDraft, exampleLink, savingScope } from './examples.ts';

export const createLink = endpoint({
  method: 'POST',
  path: '/links',
  tag: 'Links',
  summary: 'Create link',
  description: `Without \`code\`, the service generates a random one that no other project uses. The link is active, unless you set \`status\` to \`PAUSED\`. ${savingScope}`,
  body: linkDraft,
  several: 'severalLinks',
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
  uses: ['projects.get', 'apps.existing', 'destinations.hosts', 'links.count', 'links.create'],
  example: {
    body: exampleDraft,
    data: { ...exampleLink, ...exampleAliases },
  },
});

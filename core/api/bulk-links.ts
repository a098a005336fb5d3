import * as z from 'zod';
import { type FailureCode, failureStatus } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failureMessage } from '../base/messages.ts';
import { examplePayload } from '../links/example-payload.ts';
import { linkDraft } from '../links/link-schema.ts';
import { createdLink } from '../links/shown-link-schema.ts';
import { endpoint } from './endpoint.ts';
import { exampleAliases, exampleDraft, exampleLink, savingScope } from './examples.ts';

const failureCodes = Object.keys(failureStatus) as FailureCode[];

const itemResult = z.union([
  z.object({
    index: z.number().int(),
    success: z.literal(true),
    link: createdLink.optional(),
  }),
  z.object({
    index: z.number().int(),
    success: z.literal(false),
    error: z.object({
      code: z.enum(failureCodes),
      message: z.string(),
      faults: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
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
  query: z.object({
    validateOnly: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true')
      .pipe(z.boolean())
      .meta({ default: false }),
  }),
  validateOnly: { scope: 'links:read' },
  // Each link is parsed separately, so that an invalid one doesn't fail the others.
  body: many(z.unknown()),
  several: 'severalLinks',
  describedBody: many(linkDraft).meta({ id: 'LinkDrafts' }),
  bodyBytes: limits.bulkBodyBytes,
  timeoutSeconds: 28,
  result: z.object({
    created: z.number().int(),
    failed: z.number().int(),
    results: z.array(itemResult),
  }),
  failures: { SUBSCRIPTION_REQUIRED: 'The project has no active subscription.' },
  scope: 'links:write',
  idempotent: 'many',
  uses: ['projects.get', 'apps.existing', 'destinations.hosts', 'links.count', 'links.create', 'links.room'],
  example: {
    query: {},
    // The second link repeats the first one's code.
    body: { links: [exampleDraft, { code: exampleLink.code, payload: { link: examplePayload.link } }] },
    data: {
      created: 1,
      failed: 1,
      results: [
        { index: 0, success: true, link: { ...exampleLink, ...exampleAliases } },
        {
          index: 1,
          success: false,
          error: { code: 'CODE_ALREADY_EXISTS', message: failureMessage('codeTaken') },
        },
      ],
    },
  },
});

import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { listedLink } from '../links/shown-link-schema.ts';
import { linkCode } from '../links/stored-link-schema.ts';
import { endpoint } from './endpoint.ts';
import { answeredAt, exampleLink } from './examples.ts';
import { wholeNumberInQuery } from './link-query.ts';
import { noSuchLink } from './one-link.ts';

const { name, tags, expiresAt, payload, status } = listedLink.shape;
const settable = { name: name.nullable(), tags: tags.nullable(), expiresAt: expiresAt.nullable() };

const entry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    type: z.enum(['created', 'updated', 'expired', 'blocked', 'unblocked']),
    by: z.string().nullable(),
    previous: z
      .object({ ...settable, payload, status })
      .partial()
      .optional(),
  })
  .meta({ id: 'HistoryEntry' });

const before = z.object({ name, tags, expiresAt, payload }).nullable();
const whole = entry.extend({ before }).meta({ id: 'WholeHistoryEntry' });

export const getHistory = endpoint({
  method: 'GET',
  path: '/history',
  tag: 'History',
  summary: 'Get history of a link',
  query: z.object({
    code: linkCode,
    pageSize: wholeNumberInQuery(1, limits.pageSize.max).default(limits.pageSize.default),
    cursor: z.string().optional(),
    id: z.string().optional(),
  }),
  result: z.union([z.array(entry), whole]),
  pagination: z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() }).optional(),
  failures: { LINK_NOT_FOUND: noSuchLink, NOT_FOUND: 'The link has no entry with this id.' },
  scope: 'links:read',
  servedBy: 'listLinks',
  uses: ['history.find', 'history.page'],
  example: {
    query: { code: exampleLink.code, pageSize: '50', cursor: '' },
    data: [{ id: 'his_-OZwPmAF', at: answeredAt, type: 'updated', by: 'user-2', previous: { name: 'Sale' } }],
    pagination: { pageSize: 50, nextCursor: null },
  },
});

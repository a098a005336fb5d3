import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getUsage = endpoint({
  method: 'GET',
  path: '/usage',
  tag: 'Usage',
  summary: 'Get usage',
  description:
    "How much of its current hour the key has used. Doesn't count against the quota, and works when the quota is exhausted.",
  status: 200,
  result: z.object({
    limit: z.number().int(),
    used: z.number().int(),
    remaining: z.number().int(),
    resetAt: z.iso.datetime(),
    windowSeconds: z.number().int(),
  }),
  failures: {},
  uncounted: true,
  uses: [],
});

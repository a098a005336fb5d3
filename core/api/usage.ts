import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getUsage = endpoint({
  method: 'GET',
  path: '/usage',
  tag: 'Usage',
  summary: 'Get usage',
  description:
    "Where the key stands in the current hour. Uses up nothing of it, and answers when it's used up, too.",
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

import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { endpoint } from './endpoint.ts';
import { exampleUsed } from './examples.ts';

export const getUsage = endpoint({
  method: 'GET',
  path: '/usage',
  tag: 'Usage',
  summary: 'Get usage',
  result: z.object({
    limit: z.number().int(),
    used: z.number().int(),
    remaining: z.number().int(),
    resetAt: z.iso.datetime(),
    windowSeconds: z.number().int(),
  }),
  uncounted: true,
  uses: [],
  example: {
    data: {
      limit: limits.requestsPerHour,
      used: exampleUsed,
      remaining: limits.requestsPerHour - exampleUsed,
      resetAt: '2026-11-20T11:00:00.000Z',
      windowSeconds: 3600,
    },
  },
});

import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const listTags = endpoint({
  method: 'GET',
  path: '/tags',
  tag: 'Links',
  summary: 'List tags',
  result: z.object({ tags: z.array(z.string()), total: z.number().int() }),
  scope: 'links:read',
  uses: ['tags.list'],
  example: { data: { tags: ['poster/berlin', 'summer'], total: 2 } },
});

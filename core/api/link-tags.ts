import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { endpoint } from './endpoint.ts';

export const listTags = endpoint({
  method: 'GET',
  path: '/tags',
  tag: 'Links',
  summary: 'List tags',
  description: `Lists the tags that links of the project have or had, by name; at most ${limits.tagsPerProject}.`,
  result: z.object({ tags: z.array(z.string()), total: z.number().int() }),
  scope: 'links:read',
  uses: ['tags.list'],
  example: { data: { tags: ['poster/berlin', 'summer'], total: 2 } },
});

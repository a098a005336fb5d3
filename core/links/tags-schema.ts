import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import type { Check } from '../base/schema.ts';
import { storedTags, tagPattern } from './tags.ts';

/** Tags of a request. Repeats are dropped before they are counted. */
export const requestedTags: z.ZodType<string[], readonly string[]> = z
  .array(z.string().regex(tagPattern, faultMessage('tag')))
  .transform(storedTags)
  .refine(
    (tags) => tags.length <= limits.tagsPerLink,
    faultMessage('tooManyItems', { count: limits.tagsPerLink }),
  )
  .meta({ 'x-checks': 'tags' });

export const tagsChecks: readonly Check[] = [
  { says: 'tooManyItems', if: 'faultless', different: limits.tagsPerLink, count: limits.tagsPerLink },
];

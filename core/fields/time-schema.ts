import * as z from 'zod';
import { readTime } from '../base/time.ts';

/** A time in a request, normalized to UTC with milliseconds. */
export const timestamp = z
  .string()
  .transform((text, context) => {
    const reading = readTime(text);
    if ('time' in reading) return reading.time;
    context.addIssue({ code: 'custom', message: reading.fault });
    return z.NEVER;
  })
  .meta({ examples: ['2030-01-31T12:00:00Z', '2030-01-31'] });

/** A time in a query, kept as written. */
export const writtenTime = z.string().superRefine((text, context) => {
  const reading = readTime(text);
  if ('fault' in reading) context.addIssue({ code: 'custom', message: reading.fault });
});

/** A time in a query, normalized, with the schema of a string. */
export const timeInQuery = writtenTime.overwrite((text) => {
  const reading = readTime(text);
  return 'time' in reading ? reading.time : text;
});

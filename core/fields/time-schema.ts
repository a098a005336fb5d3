import * as z from 'zod';
import { readTime } from '../base/time.ts';

/** A point in time as a request may write it, normalised to UTC with milliseconds. */
export const timestamp = z
  .string()
  .transform((text, context) => {
    const reading = readTime(text);
    if ('time' in reading) return reading.time;
    context.addIssue({ code: 'custom', message: reading.fault });
    return z.NEVER;
  })
  .meta({ examples: ['2030-01-31T12:00:00Z', '2030-01-31'] });

/** The same in a query, as it was written. */
export const writtenTime = z.string().superRefine((text, context) => {
  const reading = readTime(text);
  if ('fault' in reading) context.addIssue({ code: 'custom', message: reading.fault });
});

/** The same in a query, as its text. */
export const timeInQuery = writtenTime.overwrite((text) => {
  const reading = readTime(text);
  return 'time' in reading ? reading.time : text;
});

import * as z from 'zod';
import { readTime } from './time.ts';

/** A point in time as a request may write it, normalised to UTC with milliseconds. */
export const timestamp = z
  .string()
  .transform((text, context) => {
    const reading = readTime(text);
    if ('time' in reading) return reading.time;
    context.addIssue({ code: 'custom', message: reading.fault });
    return z.NEVER;
  })
  .meta({ format: 'date-time', examples: ['2030-01-31T12:00:00Z'] });

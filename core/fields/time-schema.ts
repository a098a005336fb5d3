import * as z from 'zod';
import type { Check } from '../base/schema.ts';
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
  .meta({ format: 'date-time', examples: ['2030-01-31T12:00:00Z'], 'x-checks': 'time' });

/** What `readTime` refuses, for the description. */
const told: readonly Check[] = [
  { says: 'sign', not: '^\\d{4}-\\d\\d-\\d\\dT\\S{5,30} \\d\\d:\\d\\d$' },
  {
    says: 'time',
    match: '^(?=.{1,40}$)\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$',
  },
  { says: 'day', day: true },
  { says: 'zone', match: '^[\\d-]{10}$|(Z|[+-]\\d\\d:\\d\\d)$' },
  {
    says: 'offset',
    not: 'T.*([+-]\\d\\d:[6-9]\\d|\\+(1[5-9]|[2-9]\\d|14:(?!00))..*|-(1[3-9]|[2-9]\\d|12:(?!00)).*)$',
  },
  { says: 'clock', not: 'T(2[4-9]|[3-9]\\d|\\d\\d:[6-9]|\\d\\d:\\d\\d:[6-9])' },
  { says: 'year', years: [0, 9999] },
];
export const timeChecks: readonly Check[] = [{ first: told, ends: true }];

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

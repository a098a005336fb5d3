import { dayMs } from '../base/durations.ts';
import type { DayUnit, Owner } from '../table/figure-keys.ts';

/**
 * A click may come this many days after it happened: it may wait two weeks in a queue, and a day in the stream. Until then
 * its hour must be there, because its day is summed from the hours again.
 */
export const latestClickDays = 16;

/** When an item of a day expires, in epoch seconds. Days of a project add up to its clicks of all time, so they stay. */
export const dayExpiry = (unit: DayUnit, day: number, { code }: Owner, days?: number): number | undefined =>
  unit === 'day' && code === undefined ? undefined : endOf(day, days);

/** The same for an item of an hour, which outlives clicks that come late. */
export const hourExpiry = (hour: number, days?: number): number | undefined =>
  endOf(Math.floor(hour / 24), days && Math.max(days, latestClickDays));

/** For ever if nothing says for how many days figures over time are kept. */
const endOf = (day: number, days: number | undefined): number | undefined =>
  days && ((day + 1 + days) * dayMs) / 1000;

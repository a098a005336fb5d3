import { dayMs } from '../base/durations.ts';
import type { DayUnit, Owner } from '../table/analytics-keys.ts';

/**
 * The most days by which a click may be late: two weeks in a queue, and a day in the stream. Hours are retained that
 * long, because a late click's day is summed from them again.
 */
export const latestClickDays = 16;

/** Expiry of a day's item, in epoch seconds. A project's days add up to all of its clicks, so they stay. */
export const dayExpiry = (unit: DayUnit, day: number, { code }: Owner, days?: number): number | undefined =>
  unit === 'day' && code === undefined ? undefined : endOf(day, days);

/** Expiry of an hour's item, in epoch seconds, after the latest clicks. */
export const hourExpiry = (hour: number, days?: number): number | undefined =>
  endOf(Math.floor(hour / 24), days && Math.max(days, latestClickDays));

/** Undefined without `days`: analytics are then kept forever. */
const endOf = (day: number, days: number | undefined): number | undefined =>
  days && ((day + 1 + days) * dayMs) / 1000;

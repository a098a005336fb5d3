import { dayMs } from '../base/durations.ts';
import type { DayUnit } from '../table/figure-keys.ts';
import type { Owner } from './figures.ts';

/**
 * A click may come this many days after it happened: it may wait two weeks in a queue, and a day in the stream. Until then
 * its hour must be there, because its day is summed from the hours again.
 */
export const latestClickDays = 16;

interface Kept {
  readonly owner: Owner;
  /** For how many days figures over time are kept; for ever without it. */
  readonly retentionDays?: number | undefined;
}

/** When an item of a day expires, in epoch seconds. Days of a project add up to its clicks of all time, so they stay. */
export const dayExpiry = (unit: DayUnit, day: number, { owner, retentionDays }: Kept): number | undefined =>
  retentionDays === undefined || (unit === 'day' && owner.code === undefined)
    ? undefined
    : endOf(day, retentionDays);

/** The same for an item of an hour, which outlives clicks that come late. */
export const hourExpiry = (
  hour: number,
  { retentionDays }: Pick<Kept, 'retentionDays'>,
): number | undefined =>
  retentionDays === undefined
    ? undefined
    : endOf(Math.floor(hour / 24), Math.max(retentionDays, latestClickDays));

const endOf = (day: number, days: number): number => ((day + 1 + days) * dayMs) / 1000;

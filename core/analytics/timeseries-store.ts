import { dayMs, hourMs } from '../base/durations.ts';
import type { DayUnit, Owner } from '../table/analytics-keys.ts';
import type { Table } from '../table/table.ts';
import { type Amounts, Tally } from './amounts.ts';
import { analyticsNames, type Group, prefixesOf } from './analytics.ts';
import { latestClickDays } from './analytics-retention.ts';
import { daysIn, daysOfHours, hoursIn, partOf, shownBoundary, sumsOf } from './days.ts';
import type { Span } from './time-range.ts';

/** Analytics by day and hour. Days and hours without events are left out. */
export const timeseriesStore = (table: Pick<Table, 'get' | 'query'>) => ({
  /** Analytics in the order of spans, each from the oldest. */
  async find(owner: Owner, spans: readonly Span[], now = new Date()): Promise<TimeseriesPoint[]> {
    if (spans.length === 0) return [];
    // The boundary is read first, so a day that is closed meanwhile is read from its hours.
    const boundary = await shownBoundary(table, owner, now);
    // Recent days, which late clicks may have just changed, are read consistently; older ones at half the price.
    const changing = Math.floor(now.getTime() / dayMs) - latestClickDays;
    const daysOf = async (unit: DayUnit, start: number, end: number): Promise<Iterable<Sum>> => {
      const closed = Math.min(end, boundary);
      const [older, newer, open] = await Promise.all([
        daysIn(table, { owner, unit }, { start, end: Math.min(closed, changing) }, false),
        daysIn(table, { owner, unit }, { start: Math.max(start, changing), end: closed }),
        hoursIn(table, owner, { start: Math.max(start, boundary) * 24, end: end * 24 }),
      ]);
      const sums = await daysOfHours(table, owner, open);
      return [
        ...sumsOf([...older, ...newer], dayMs),
        ...[...sums].map(([day, amounts]): Sum => [day, partOf(unit, amounts, owner)]),
      ];
    };
    const found = await Promise.all(
      spans.map(async ({ unit, start, end }) => {
        const spanMs = unit === 'hour' ? hourMs : dayMs;
        const [first, last] = [start / spanMs, end / spanMs];
        const sums =
          unit === 'hour'
            ? sumsOf(await hoursIn(table, owner, { start: first, end: last }), hourMs)
            : await daysOf(unit, first, last);
        return [...sums]
          .filter(([, amounts]) => amounts.size > 0)
          .map(([at, amounts]) => analyticsOf(at * spanMs, amounts));
      }),
    );
    return found.flat();
  },

  /** All clicks of a project, including those of deleted links. */
  async total(project: string): Promise<number> {
    const days = await this.find({ project }, [everyDay]);
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  },
});

/** Amounts of a day or an hour, counted from the epoch. */
type Sum = readonly [at: number, amounts: Amounts];

const everyDay = { unit: 'day', start: Date.UTC(2000, 0), end: Date.UTC(9999, 11) } as const;

/** Analytics of one day or hour; `start` is in epoch milliseconds. */
export type TimeseriesPoint = ReturnType<typeof analyticsOf>;

const analyticsOf = (start: number, amounts: Amounts) => {
  const count = (name: string) => amounts.get(name) ?? 0;
  return {
    start,
    clicks: count(analyticsNames.clicks),
    uniqueClicks: count(analyticsNames.uniques),
    opens: count(analyticsNames.opens),
    firstOpens: count(analyticsNames.firstOpens),
    groups: (group: Group): Readonly<Record<string, number>> => {
      const names = new Tally();
      for (const prefix of prefixesOf(group))
        for (const [name, n] of amounts) if (name.startsWith(prefix)) names.add(name.slice(prefix.length), n);
      return Object.fromEntries(names);
    },
  };
};

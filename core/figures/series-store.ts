import { dayMs, hourMs } from '../base/durations.ts';
import type { DayUnit, Owner } from '../table/figure-keys.ts';
import type { Table } from '../table/table.ts';
import type { Amounts } from './amounts.ts';
import { daysIn, daysOfHours, hoursIn, partOf, shownBoundary, sumsOf } from './days.ts';
import { figureNames, type Group, groupPrefixes, namesOf } from './figures.ts';
import { latestClickDays } from './figures-retention.ts';
import type { Span, TimeRange } from './time-range.ts';

type Reads = Pick<Table, 'get' | 'query'>;

/** Figures by day and hour. Days and hours in which nothing happened have none. */
export const seriesStore = (table: Reads) => ({
  /** In the order of the spans, each from its oldest on. */
  async find(owner: Owner, spans: readonly Span[], now = new Date()): Promise<SeriesFigures[]> {
    if (spans.length === 0) return [];
    // Read first: a day that is closed meanwhile is found in its hours.
    const boundary = await shownBoundary(table, owner, now);
    const found = await Promise.all(
      spans.map(({ unit, start, end }) =>
        unit === 'hour'
          ? hours(table, owner, { start: start / hourMs, end: end / hourMs })
          : days(table, { owner, unit, boundary, now }, { start: start / dayMs, end: end / dayMs }),
      ),
    );
    return found.flat();
  },

  /** Clicks of a project of all time, those of deleted links included. */
  async total(project: string): Promise<number> {
    const days = await this.find({ project }, [everyDay]);
    return days.reduce((sum, { clicks }) => sum + clicks, 0);
  },
});

const everyDay = { unit: 'day', start: Date.UTC(2000, 0), end: Date.UTC(9999, 11) } as const;

const hours = async (table: Reads, owner: Owner, range: TimeRange): Promise<SeriesFigures[]> =>
  [...sumsOf(await hoursIn(table, owner, range), hourMs)].map(([hour, amounts]) =>
    figuresOf(hour * hourMs, amounts),
  );

interface Days {
  readonly owner: Owner;
  readonly unit: DayUnit;
  readonly boundary: number;
  readonly now: Date;
}

const days = async (table: Reads, asked: Days, { start, end }: TimeRange): Promise<SeriesFigures[]> => {
  const { owner, unit, boundary, now } = asked;
  // Late clicks may just have changed a day, and a copy of the table may lack that. Older days are read at half the price.
  const changing = Math.floor(now.getTime() / dayMs) - latestClickDays;
  const closed = Math.min(end, boundary);
  const [older, newer, open] = await Promise.all([
    daysIn(table, asked, { start, end: Math.min(closed, changing) }, false),
    daysIn(table, asked, { start: Math.max(start, changing), end: closed }),
    hoursIn(table, owner, { start: Math.max(start, boundary) * 24, end: end * 24 }),
  ]);
  const sums = [...(await daysOfHours(table, owner, open))].map(
    ([day, amounts]) => [day, partOf(unit, amounts, owner)] as const,
  );
  return [...sumsOf([...older, ...newer], dayMs), ...sums]
    .filter(([, amounts]) => amounts.size > 0)
    .map(([day, amounts]) => figuresOf(day * dayMs, amounts));
};

/** The figures of one day or hour, which began at this time in epoch milliseconds. */
export type SeriesFigures = ReturnType<typeof figuresOf>;

const figuresOf = (start: number, amounts: Amounts) => {
  const count = (name: string) => amounts.get(name) ?? 0;
  return {
    start,
    clicks: count(figureNames.clicks),
    uniqueClicks: count(figureNames.uniques),
    opens: count(figureNames.opens),
    firstOpens: count(figureNames.firstOpens),
    groups: (group: Group) => namesOf(Object.fromEntries(amounts), groupPrefixes[group]),
  };
};

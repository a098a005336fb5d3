import { dayMs, hourMs } from '../base/durations.ts';
import { analyticsKey, type DayUnit, dayKey, hourKey, type Owner } from '../table/analytics-keys.ts';
import { itemsBetween } from '../table/ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { type Amounts, Tally } from './amounts.ts';
import { analyticsNames, type Group, groupPrefixes, prefixesOf } from './analytics.ts';
import type { TimeRange } from './time-range.ts';
import { busiestOf, establishedReferrers, establishingDays, isCrowded } from './top-values.ts';

type Reads = Pick<Table, 'get' | 'query'>;

/** The boundary of an owner's days, counted from the epoch: earlier days have items, and later ones are sums of their hours. */
export const boundaryOf = async (table: Reads, owner: Owner): Promise<number> =>
  Number((await table.get(analyticsKey(owner)))?.[analyticsNames.closed] ?? 0);

/**
 * The boundary for readers, which moves an hour later. By then, days contain the late clicks of their hours, and
 * eventually consistent reads find the days.
 */
export const shownBoundary = async (table: Reads, owner: Owner, now: Date): Promise<number> => {
  const item = (await table.get(analyticsKey(owner))) ?? {};
  const { closed, closedBefore, closedAt } = analyticsNames;
  const isNew = now.getTime() < Number(item[closedAt] ?? 0) * 1000 + hourMs;
  return Number(item[isNew ? closedBefore : closed] ?? 0);
};

/** Items of hours, in order. `start` and `end` are in hours. */
export const hoursIn = async (table: Reads, owner: Owner, { start, end }: TimeRange): Promise<Item[]> => {
  if (start >= end) return [];
  // `$` follows `#`: the last hour's own items are included.
  return table.query(itemsBetween(hourKey(owner, start), `${hourKey(owner, end - 1).SK}$`));
};

/** Items of days. `start` and `end` are in days. */
export const daysIn = async (
  table: Reads,
  { owner, unit = 'day' }: { readonly owner: Owner; readonly unit?: DayUnit },
  { start, end }: TimeRange,
  ConsistentRead = true,
): Promise<Item[]> =>
  start < end
    ? table.query({
        ...itemsBetween(dayKey(unit, owner, start), dayKey(unit, owner, end - 1).SK),
        ConsistentRead,
      })
    : [];

/** Start of an item's day or hour, in epoch milliseconds. */
export const startOf = ({ SK }: Item): number => {
  const [day, hour = '00'] = String(SK).slice(2).split(/[T#]/);
  return Date.parse(`${day}T${hour}:00:00Z`);
};

const { clicks, uniques, opens, firstOpens } = analyticsNames;
const single: readonly string[] = [clicks, uniques, opens, firstOpens];
// `Object.keys` loses the names' types.
const prefixes = (Object.keys(groupPrefixes) as Group[]).flatMap(prefixesOf);

/** Sums of analytics by span, a number since the epoch of spans of `spanMs`. */
export const sumsOf = (items: readonly Item[], spanMs: number): Map<number, Amounts> => {
  const sums = new Map<number, Tally>();
  for (const item of items) {
    const span = Math.floor(startOf(item) / spanMs);
    const counts = sums.get(span) ?? new Tally();
    sums.set(span, counts);
    for (const [name, amount] of Object.entries(item)) {
      if (single.includes(name) || prefixes.some((prefix) => name.startsWith(prefix)))
        counts.add(name, Number(amount));
    }
  }
  return sums;
};

/** Sums of hours by day, limited to the names that each day shows. */
export const daysOfHours = async (
  table: Reads,
  owner: Owner,
  hours: readonly Item[],
): Promise<Map<number, Amounts>> => {
  const days = sumsOf(hours, dayMs);
  const first = Math.min(...days.keys());
  const all = [...days.values()].some((day) => isCrowded(day.keys()))
    ? new Map([...(await daysBefore(table, owner, first)), ...days])
    : days;
  return new Map(
    [...days].map(([day, amounts]) => [day, busiestOf(amounts, establishedReferrers(day, all))]),
  );
};

/** The days before `end` that decide which referrers are established. */
export const daysBefore = async (table: Reads, owner: Owner, end: number): Promise<Map<number, Amounts>> => {
  const start = end - establishingDays;
  const closed = await boundaryOf(table, owner);
  const [days, hours] = await Promise.all([
    daysIn(table, { owner }, { start, end: Math.min(end, closed) }),
    hoursIn(table, owner, { start: Math.max(start, closed) * 24, end: end * 24 }),
  ]);
  return new Map([...sumsOf(days, dayMs), ...sumsOf(hours, dayMs)]);
};

/** The part of a day's amounts for an item: projects' clicks by link have their own, because they are rarely read. */
export const partOf = (unit: DayUnit, amounts: Amounts, { code }: Owner): Amounts => {
  if (code !== undefined) return unit === 'day' ? amounts : new Map();
  const isByLink = (name: string) => name.startsWith(groupPrefixes.links);
  return new Map([...amounts].filter(([name]) => isByLink(name) === (unit === 'dayByLink')));
};

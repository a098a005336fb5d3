import { dayMs, epochSeconds, hourMs } from '../base/durations.ts';
import { analyticsKey, type DayUnit, dayKey } from '../table/analytics-keys.ts';
import { tableSchema } from '../table/keys.ts';
import { type Item, met, type Table } from '../table/table.ts';
import { conditionOf, updateWhen } from '../table/update.ts';
import type { Amounts } from './amounts.ts';
import { analyticsNames } from './analytics.ts';
import type { ItemRecords } from './analytics-items.ts';
import { dayExpiry, hourExpiry } from './analytics-retention.ts';
import { boundaryOf, daysOfHours, hoursIn, partOf, startOf } from './days.ts';
import type { TimeRange } from './time-range.ts';

export type DaysTable = Pick<Table, 'get' | 'query' | 'update' | 'put'>;

/**
 * A day is closed some time after its end, and later clicks make it be summed again. A click missing from a sum was
 * written after the sum began, so its writer sees that it is late, unless two clocks differ by the time between both
 * limits.
 */
const lateAfterMs = hourMs;
const closedAfterMs = 2 * hourMs;

/** The least number of days to close at a time. Projects' hours are larger, so their days don't wait. */
const daysAtOnce = { link: 8, project: 1 };

type Kept = Pick<ItemRecords, 'owner' | 'retentionDays'>;

/** Sums a day again for a click that arrives when its day may have been closed. */
export const sumLateDay = async (table: DaysTable, added: ItemRecords, clock: () => Date): Promise<void> => {
  const { owner, hour } = added;
  if (hour === undefined) return;
  const day = Math.floor(hour / 24);
  if (clock().getTime() < (day + 1) * dayMs + lateAfterMs) return;
  const hours = await putDays(table, added, { start: day, end: day + 1 });
  if (keepsHours(added) && day < (await boundaryOf(table, owner)))
    await expireHours(table, { ...added, hours }, clock);
};

/**
 * Writes items of days that are over, when the first later hour begins. Repeating, interrupting or skipping it does no
 * harm, because days that aren't closed are read as sums of their hours.
 */
export const closeDays = async (table: DaysTable, added: ItemRecords, clock: () => Date): Promise<void> => {
  const { owner } = added;
  const now = clock().getTime();
  const end = Math.floor((now - closedAfterMs) / dayMs);
  const start = await boundaryOf(table, owner);
  if (end - start < (owner.code === undefined ? daysAtOnce.project : daysAtOnce.link)) return;
  const hours = await putDays(table, added, { start, end });
  if (hours.length === 0) return;
  // This comes last, because from now on days are read instead of hours.
  const { closed, closedBefore, closedAt } = analyticsNames;
  await updateWhen(table, analyticsKey(owner), {
    set: { [closed]: end, [closedBefore]: start, [closedAt]: epochSeconds(now) },
    when: `attribute_not_exists(#${closed}) OR #${closed} = :start`,
    values: { start },
  });
  if (keepsHours(added)) await expireHours(table, { ...added, hours }, clock);
};

/** Writes sums of days. Resolves to the items of their hours. */
const putDays = async (table: DaysTable, kept: Kept, { start, end }: TimeRange): Promise<Item[]> => {
  const hours = await hoursIn(table, kept.owner, { start: start * 24, end: end * 24 });
  const days = await daysOfHours(table, kept.owner, hours);
  await Promise.all(
    [...days].flatMap((sum) => [putDay(table, kept, 'day', sum), putDay(table, kept, 'dayByLink', sum)]),
  );
  return hours;
};

/** Writes a day's sum, unless the stored one is larger: hours only grow, so the larger sum is more complete. */
const putDay = async (
  table: DaysTable,
  kept: Kept,
  unit: DayUnit,
  [day, amounts]: readonly [number, Amounts],
): Promise<void> => {
  const part = partOf(unit, amounts, kept.owner);
  if (part.size === 0) return;
  const seen = (amounts.get(analyticsNames.clicks) ?? 0) + (amounts.get(analyticsNames.opens) ?? 0);
  const Item = {
    ...dayKey(unit, kept.owner, day),
    ...Object.fromEntries(part),
    [analyticsNames.seen]: seen,
    [tableSchema.ttl]: dayExpiry(unit, day, kept.owner, kept.retentionDays),
  };
  const isFuller = conditionOf(
    'attribute_not_exists(#v) OR #v < :seen',
    { seen },
    { v: analyticsNames.seen },
  );
  await met(table.put({ Item, ...isFuller }));
};

/** Whether hours expire only after their day is closed. Projects' days stay, and add up to all of their clicks. */
const keepsHours = ({ owner, retentionDays }: Kept): boolean =>
  owner.code === undefined && retentionDays !== undefined;

const expireHours = async (
  table: DaysTable,
  { hours, retentionDays }: Kept & { readonly hours: readonly Item[] },
  clock: () => Date,
): Promise<void> => {
  // Readers use hours for another hour.
  const soon = epochSeconds(clock().getTime() + dayMs);
  const expire = (hour: Item) => {
    const ttl = Math.max(soon, hourExpiry(startOf(hour) / hourMs, retentionDays) ?? soon);
    const key = { PK: String(hour.PK), SK: String(hour.SK) };
    return updateWhen(table, key, { set: { [tableSchema.ttl]: ttl }, when: 'attribute_exists(#PK)' });
  };
  await Promise.all(hours.filter((hour) => hour[tableSchema.ttl] === undefined).map(expire));
};

import { type Key, type SeriesUnit, seriesKey, tableSchema } from '../table/keys.ts';
import { ConditionFailed, met, type Updates } from '../table/table.ts';
import { type Amounts, addAmounts, firstPortion, totalOf, withAmounts } from './amounts.ts';
import { keepBusiest } from './busiest-names.ts';
import { partOf, seriesUnits } from './figure-items.ts';
import { figureNames, type Owner } from './figures.ts';
import type { KnownNames } from './known-names.ts';
import { type Recent, type RecentAddition, readAdditions } from './recent-additions.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Recent additions are settled when their texts have this many characters. More make fewer writes of days and
 * hours, and a larger item of figures: this is some twenty single clicks, with which most links' items stay within
 * the KB that a write unit covers.
 */
export const settledAt = 320;

export interface Settlement {
  readonly key: Key;
  readonly owner: Owner;
  readonly recent: Recent;
  readonly retentionDays?: number | undefined;
  readonly names: KnownNames;
}

/**
 * Adds recent additions to the days and hours, each exactly once, and then drops them. The additions of an owner are
 * numbered, and each day and hour has the number up to which it is complete. So this may be repeated, run twice
 * at a time, and stop anywhere: additions are dropped once every day and hour has them.
 */
export const settle = async (table: Updates, settlement: Settlement): Promise<void> => {
  const { key, recent } = settlement;
  const additions = readAdditions(recent);
  await Promise.all(itemsOf(settlement, additions).map((item) => addToItem(table, item, settlement.names)));
  // From the last one on, because the local engine removes one after the other, and the rest moves up.
  const dropped = additions.map((_, i) => `#q[${i}]`).reverse();
  await met(
    table.update({
      Key: key,
      UpdateExpression: `SET #s = :last REMOVE ${dropped.join(', ')}`,
      ConditionExpression: recent.settled === 0 ? 'attribute_not_exists(#s)' : '#s = :settled',
      ExpressionAttributeNames: { '#s': figureNames.settled, '#q': figureNames.recent },
      ExpressionAttributeValues: {
        ':last': recent.settled + additions.length,
        ...(recent.settled > 0 && { ':settled': recent.settled }),
      },
    }),
  );
};

/** A day or an hour, and what additions add to it. */
interface SeriesItem {
  readonly key: Key;
  readonly ttl: number | undefined;
  readonly parts: { readonly number: number; readonly amounts: Amounts }[];
  /** Of the last addition that was looked at, whether it adds to this item or not. */
  readonly last: number;
}

const itemsOf = (
  { owner, retentionDays }: Settlement,
  additions: readonly RecentAddition[],
): SeriesItem[] => {
  const items = new Map<string, SeriesItem>();
  const last = additions.at(-1)?.number ?? 0;
  for (const { number, hours } of additions) {
    for (const { hour, amounts } of hours) {
      for (const unit of seriesUnits) {
        const part = partOf(unit, amounts, owner);
        if (part.size === 0) continue;
        const time = hour * hourMs;
        const key = seriesKey(unit, new Date(time).toISOString(), owner);
        const item = items.get(key.SK) ?? {
          key,
          ttl: ttlOf(unit, time, { owner, retentionDays }),
          parts: [],
          last,
        };
        items.set(key.SK, item);
        addPart(item.parts, number, part);
      }
    }
  }
  return [...items.values()];
};

/** One part for each addition: an item can't have half of one. */
const addPart = (parts: SeriesItem['parts'], number: number, amounts: Amounts): void => {
  const last = parts.at(-1);
  if (last?.number === number)
    parts[parts.length - 1] = { number, amounts: totalOf([last.amounts, amounts]) };
  else parts.push({ number, amounts });
};

/** In epoch seconds. Days of a project add up to its clicks of all time, so they stay. */
const ttlOf = (
  unit: SeriesUnit,
  time: number,
  { owner, retentionDays }: Pick<Settlement, 'owner' | 'retentionDays'>,
): number | undefined => {
  if (retentionDays === undefined || (unit === 'day' && owner.code === undefined)) return undefined;
  return ((Math.floor(time / dayMs) + 1 + retentionDays) * dayMs) / 1000;
};

const addToItem = async (table: Updates, item: SeriesItem, names: KnownNames): Promise<void> => {
  const { key } = item;
  let parts: SeriesItem['parts'] = item.parts;
  while (parts.length > 0) {
    const portion = firstPortion(parts, ({ amounts }) => amounts.keys());
    const [first, last] = [portion[0], portion.at(-1)].map((part) => part?.number ?? 0) as [number, number];
    const wanted = totalOf(portion.map((part) => part.amounts));
    const amounts = names.limit(key, wanted);
    const reached = portion.length === parts.length ? item.last : last;
    try {
      const before = await table.update(additionTo(item, { first, reached, amounts }));
      const now = withAmounts(before, amounts);
      names.learnItem(key, now);
      await keepBusiest(table, { key, item: now, wanted }, names);
      parts = parts.slice(portion.length);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      names.learnItem(key, error.item);
      const has = Number(error.item?.[figureNames.settled] ?? 0);
      parts = parts.filter(({ number }) => number > has);
    }
  }
};

const additionTo = (
  { key, ttl }: SeriesItem,
  {
    first,
    reached,
    amounts,
  }: { readonly first: number; readonly reached: number; readonly amounts: Amounts },
) => {
  const { add, names, values } = addAmounts(amounts);
  return {
    Key: key,
    UpdateExpression: `${add}SET #s = :reached${ttl === undefined ? '' : ', #ttl = :ttl'}`,
    ConditionExpression: 'attribute_not_exists(#s) OR #s < :first',
    ExpressionAttributeNames: {
      '#s': figureNames.settled,
      ...(ttl !== undefined && { '#ttl': tableSchema.ttl }),
      ...names,
    },
    ExpressionAttributeValues: {
      ':first': first,
      ':reached': reached,
      ...(ttl !== undefined && { ':ttl': ttl }),
      ...values,
    },
    ReturnValues: 'ALL_OLD' as const,
  };
};

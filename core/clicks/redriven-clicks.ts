import { ConditionFailed, type Item, type ReadsAndUpdates } from '../table/table.ts';
import { addAmounts } from './amounts.ts';
import type { ClickRecord } from './click.ts';
import { type Adding, inOrder } from './click-figures.ts';
import { type Addition, firstRecords, hoursOf, type ItemRecords, itemsOf, totalsOf } from './figure-items.ts';
import { KnownNames } from './known-names.ts';
import { appending, isDue, recentOf, withAddition, writeAddition } from './recent-additions.ts';
import { settle, settledAt } from './settlement.ts';
import {
  hourOf,
  isUncounted,
  keptHours,
  progressNames,
  readProgress,
  withCounted,
  writeGaps,
  writeWatermark,
} from './watermarks.ts';

/** What became of records that were given up. */
export interface Redriven {
  readonly added: number;
  /** Counted before, or too old to know. */
  readonly skipped: number;
}

/** Older records can't be redriven: the watermarks that cover them are about to be dropped. */
const redrivableHours = keptHours - 2;

/**
 * Adds discarded records to the items where they aren't counted yet, and notes that they are. This holds
 * under any repetition, beside the mapping itself, and in any order.
 */
export const redriveClicks = async (
  table: ReadsAndUpdates,
  addition: Addition,
  adding: Adding,
): Promise<Redriven> => {
  const oldest = hourOf(adding.now.getTime() / 1000) - redrivableHours;
  const added = new Set<string>();
  for (const item of itemsOf(addition)) {
    const known = inOrder(item.records).filter(({ created }) => hourOf(created) >= oldest);
    const fresh = await redriveItem(table, { ...item, records: known }, adding);
    for (const { position } of fresh) added.add(position);
  }
  return { added: added.size, skipped: addition.records.length - added.size };
};

/** The records that were not counted in the item before. */
const redriveItem = async (
  table: ReadsAndUpdates,
  item: ItemRecords,
  { names = new KnownNames(), settleAt = settledAt }: Adding,
): Promise<readonly ClickRecord[]> => {
  const added: ClickRecord[] = [];
  for (let stored = await table.get(item.key); ; ) {
    const progress = readProgress(stored, item.shard);
    const uncounted = item.records.filter(({ position }) => isUncounted(progress, position));
    if (uncounted.length === 0) return added;
    const fresh = firstRecords(uncounted, item.owner);
    try {
      const text = writeAddition(hoursOf(fresh, item.owner));
      const before = await table.update(restorations(item, stored, { fresh, text }));
      const recent = withAddition(recentOf(before), text);
      if (isDue(recent, settleAt)) await settle(table, { ...item, recent, names });
      added.push(...fresh);
      stored = await table.get(item.key);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      stored = error.item;
    }
  }
};

interface Restored {
  readonly fresh: readonly ClickRecord[];
  readonly text: string;
}

const restorations = (
  { shard, key, owner }: ItemRecords,
  item: Item | undefined,
  { fresh, text }: Restored,
) => {
  const [first, last] = [fresh[0], fresh.at(-1)] as [ClickRecord, ClickRecord];
  const names = progressNames(shard);
  const before = readProgress(item, shard);
  const after = withCounted(before, first.position, last.position);
  const hour = Math.max(before.createdHour ?? 0, hourOf(last.created));
  const counted = addAmounts(totalsOf(fresh, owner));
  const seen = [names.watermark, names.gaps].map((name) => item?.[name]);
  const unchanged = seen.map((value, i) =>
    value === undefined ? `attribute_not_exists(#s${i})` : `#s${i} = :s${i}`,
  );
  return {
    Key: key,
    UpdateExpression: `${counted.add}SET #s0 = :reached, #s1 = :gaps, ${appending.expression}`,
    ConditionExpression: unchanged.join(' AND '),
    ExpressionAttributeNames: {
      '#s0': names.watermark,
      '#s1': names.gaps,
      ...appending.names,
      ...counted.names,
    },
    ExpressionAttributeValues: {
      ':reached': writeWatermark(after.reached, hour),
      ':gaps': writeGaps(after.gaps, hour),
      ...appending.values(text),
      ...Object.fromEntries(seen.flatMap((value, i) => (value === undefined ? [] : [[`:s${i}`, value]]))),
      ...counted.values,
    },
    ReturnValues: 'ALL_OLD' as const,
  };
};

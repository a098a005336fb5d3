import { tableSchema } from '../table/keys.ts';
import { ConditionFailed, type Item, type ReadsAndUpdates } from '../table/table.ts';
import type { ClickRecord } from './click.ts';
import { inOrder, sum } from './click-figures.ts';
import { type Addition, type Amounts, type ItemRecords, itemsOf } from './figure-items.ts';
import { KnownNames } from './known-names.ts';
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
  now: Date,
): Promise<Redriven> => {
  const oldest = hourOf(now.getTime() / 1000) - redrivableHours;
  const added = new Set<string>();
  for (const item of itemsOf(addition)) {
    const known = inOrder(item.records).filter(({ created }) => hourOf(created) >= oldest);
    const fresh = await redriveItem(table, { ...item, records: known });
    for (const { position } of fresh) added.add(position);
  }
  return { added: added.size, skipped: addition.records.length - added.size };
};

/** The records that were not counted in the item before. */
const redriveItem = async (table: ReadsAndUpdates, item: ItemRecords): Promise<readonly ClickRecord[]> => {
  const names = new KnownNames();
  for (let stored = await table.get(item.key); ; ) {
    const progress = readProgress(stored, item.shard);
    const fresh = item.records.filter(({ position }) => isUncounted(progress, position));
    if (fresh.length === 0) return [];
    names.learnItem(item.key, stored);
    try {
      const amounts = names.limit(item.key, item.amounts(fresh));
      await table.update(restorations(item, stored, { fresh, amounts }));
      return fresh;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      stored = error.item;
    }
  }
};

interface Restored {
  readonly fresh: readonly ClickRecord[];
  readonly amounts: Amounts;
}

const restorations = ({ shard, key, ttl }: ItemRecords, item: Item | undefined, restored: Restored) => {
  const { fresh, amounts } = restored;
  const [first, last] = [fresh[0], fresh.at(-1)] as [ClickRecord, ClickRecord];
  const names = progressNames(shard);
  const before = readProgress(item, shard);
  const after = withCounted(before, first.position, last.position);
  const hour = Math.max(before.createdHour ?? 0, hourOf(last.created));
  const counted = sum(amounts);
  const seen = [names.watermark, names.gaps].map((name) => item?.[name]);
  const unchanged = seen.map((value, i) =>
    value === undefined ? `attribute_not_exists(#s${i})` : `#s${i} = :s${i}`,
  );
  const expires = ttl === undefined ? '' : ', #ttl = :ttl';
  return {
    Key: key,
    UpdateExpression: `${counted.add} SET #s0 = :reached, #s1 = :gaps${expires}`,
    ConditionExpression: unchanged.join(' AND '),
    ExpressionAttributeNames: {
      '#s0': names.watermark,
      '#s1': names.gaps,
      ...(ttl !== undefined && { '#ttl': tableSchema.ttl }),
      ...counted.names,
    },
    ExpressionAttributeValues: {
      ':reached': writeWatermark(after.reached, hour),
      ':gaps': writeGaps(after.gaps, hour),
      ...(ttl !== undefined && { ':ttl': ttl }),
      ...Object.fromEntries(seen.flatMap((value, i) => (value === undefined ? [] : [[`:s${i}`, value]]))),
      ...counted.values,
    },
  };
};

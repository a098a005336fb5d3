import { figuresKey } from '../table/keys.ts';
import { ConditionFailed, type Item, type ReadsAndUpdates } from '../table/table.ts';
import type { ClickRecord } from './click.ts';
import { inOrder, type ShardRecords, sum } from './click-figures.ts';
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
  /** Counted before, or nobody can tell any more. */
  readonly skipped: number;
}

/** From when on it can no longer be told what was counted: a little before the watermarks go. */
const redrivableHours = keptHours - 2;

/**
 * Adds records that the event source mapping gave up, those alone that are not counted, and notes that they are.
 * Holds under any repetition and beside the mapping itself, in any order.
 */
export const redriveClicks = async (
  table: ReadsAndUpdates,
  { shard, records }: ShardRecords,
  now: Date,
): Promise<Redriven> => {
  const oldest = hourOf(now.getTime() / 1000) - redrivableHours;
  const known = inOrder(records).filter(({ created }) => hourOf(created) >= oldest);
  for (let item = await figuresItem(table, records); ; ) {
    const progress = readProgress(item, shard);
    const fresh = known.filter(({ position }) => isUncounted(progress, position));
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return { added: 0, skipped: records.length };
    try {
      await table.update(restorations(shard, item, fresh));
      return { added: fresh.length, skipped: records.length - fresh.length };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      item = error.item;
    }
  }
};

const figuresItem = async (
  table: ReadsAndUpdates,
  [link]: readonly ClickRecord[],
): Promise<Item | undefined> => link && table.get(figuresKey(link.project, link.code));

const restorations = (shard: string, item: Item | undefined, records: readonly ClickRecord[]) => {
  const [first, last] = [records[0], records.at(-1)] as [ClickRecord, ClickRecord];
  const names = progressNames(shard);
  const before = readProgress(item, shard);
  const after = withCounted(before, first.position, last.position);
  const hour = Math.max(before.createdHour ?? 0, hourOf(last.created));
  const counted = sum(records);
  const seen = [names.watermark, names.gaps].map((name) => item?.[name]);
  const unchanged = seen.map((value, i) =>
    value === undefined ? `attribute_not_exists(#s${i})` : `#s${i} = :s${i}`,
  );
  return {
    Key: figuresKey(first.project, first.code),
    UpdateExpression: `ADD ${counted.expression} SET #s0 = :reached, #s1 = :gaps`,
    ConditionExpression: unchanged.join(' AND '),
    ExpressionAttributeNames: { '#s0': names.watermark, '#s1': names.gaps, ...counted.names },
    ExpressionAttributeValues: {
      ':reached': writeWatermark(after.reached, hour),
      ':gaps': writeGaps(after.gaps, hour),
      ...Object.fromEntries(seen.flatMap((value, i) => (value === undefined ? [] : [[`:s${i}`, value]]))),
      ...counted.values,
    },
  };
};

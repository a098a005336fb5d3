import { type Key, tableSchema } from '../table/keys.ts';
import { ConditionFailed, type Item, type Updates } from '../table/table.ts';
import type { ClickRecord } from './click.ts';
import type { Amounts, ItemRecords } from './figure-items.ts';
import { KnownNames } from './known-names.ts';
import {
  givenUpHours,
  hourOf,
  progressNames,
  readProgress,
  type Span,
  shardHours,
  staleNames,
  writeGaps,
  writeWatermark,
} from './watermarks.ts';

/**
 * Shards live for a few hours. Their watermarks are dropped several at a time, so that each doesn't cost a
 * write.
 */
const staleAtOnce = 4;

/**
 * Adds a shard's records to an item of figures, exactly once. The same update moves the item's watermark for
 * the shard, and skips records at or below the stored one. This holds under any repetition, overlap and
 * interruption, as long as a shard's records come in order.
 */
export const addRecords = async (
  table: Updates,
  added: ItemRecords,
  now: Date,
  names = new KnownNames(),
): Promise<void> => {
  const { key, shard } = added;
  let fresh = inOrder(added.records);
  for (;;) {
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    try {
      const amounts = names.limit(key, added.amounts(fresh));
      const before = await table.update(additions({ ...added, amounts, first, last }));
      names.learn(key, amounts.keys(), Object.keys(before));
      await tidy(table, { key, shard, first, before, nowHour: hourOf(now.getTime() / 1000) });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      names.learnItem(key, error.item);
      const { reached } = readProgress(error.item, shard);
      fresh = fresh.filter(({ position }) => position > reached);
    }
  }
};

/** As the shard has them, each once: a poller that is moved may deliver older ones behind newer ones. */
export const inOrder = (records: readonly ClickRecord[]): ClickRecord[] =>
  records
    .toSorted((one, other) => (one.position < other.position ? -1 : 1))
    .filter(({ position }, i, all) => position !== all[i - 1]?.position);

interface Write extends Omit<ItemRecords, 'records' | 'amounts'> {
  readonly amounts: Amounts;
  readonly first: ClickRecord;
  readonly last: ClickRecord;
}

const additions = ({ shard, key, ttl, amounts, first, last }: Write) => {
  const { watermark } = progressNames(shard);
  const { add, names, values } = sum(amounts);
  return {
    Key: key,
    UpdateExpression: `${add} SET #w = :reached${ttl === undefined ? '' : ', #ttl = :ttl'}`,
    ConditionExpression: 'attribute_not_exists(#w) OR #w < :first',
    ExpressionAttributeNames: {
      '#w': watermark,
      ...(ttl !== undefined && { '#ttl': tableSchema.ttl }),
      ...names,
    },
    ExpressionAttributeValues: {
      ':first': first.position,
      ...(ttl !== undefined && { ':ttl': ttl }),
      ':reached': writeWatermark(last.position, hourOf(last.created)),
      ...values,
    },
    ReturnValues: 'ALL_OLD' as const,
  };
};

/** Amounts that are added to an item, as parts of an update. */
export const sum = (amounts: Amounts) => {
  const counts = [...amounts];
  return {
    add: `ADD ${counts.map((_, i) => `#c${i} :c${i}`).join(', ')}`,
    names: Object.fromEntries(counts.map(([attribute], i) => [`#c${i}`, attribute])),
    values: Object.fromEntries(counts.map(([, n], i) => [`:c${i}`, n])),
  };
};

interface Added {
  readonly key: Key;
  readonly shard: string;
  readonly first: ClickRecord;
  /** The item as it was before. */
  readonly before: Item;
  readonly nowHour: number;
}

const tidy = async (table: Updates, added: Added): Promise<void> => {
  const { key, shard, before, nowHour } = added;
  const passed = passedOver(added);
  if (passed) await noteGap(table, added, passed);
  const own = Object.values(progressNames(shard));
  const stale = staleNames(before, nowHour).filter((name) => !own.includes(name));
  if (stale.length < staleAtOnce) return;
  await table.update({
    Key: key,
    UpdateExpression: `REMOVE ${stale.map((_, i) => `#s${i}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(stale.map((name, i) => [`#s${i}`, name])),
  });
};

/**
 * Where records may lie that were given up uncounted: between the last counted one and this one, if the last one is
 * so old that what followed it may have been. A missing note loses nothing but the chance to redrive.
 */
const passedOver = ({ shard, first, before, nowHour }: Added): Span | undefined => {
  const { reached, createdHour } = readProgress(before, shard);
  const isLate =
    createdHour === undefined
      ? nowHour - hourOf(first.created) >= shardHours
      : nowHour - createdHour >= givenUpHours;
  return isLate ? { after: reached, before: first.position } : undefined;
};

const noteGap = async (table: Updates, { key, shard, first, before }: Added, gap: Span): Promise<void> => {
  const { gaps: name } = progressNames(shard);
  for (let item: Item = before; ; ) {
    const known = item[name];
    try {
      await table.update({
        Key: key,
        UpdateExpression: 'SET #g = :gaps',
        ConditionExpression: known === undefined ? 'attribute_not_exists(#g)' : '#g = :known',
        ExpressionAttributeNames: { '#g': name },
        ExpressionAttributeValues: {
          ':gaps': writeGaps([...readProgress(item, shard).gaps, gap], hourOf(first.created)),
          ...(known !== undefined && { ':known': known }),
        },
      });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      item = error.item ?? {};
    }
  }
};

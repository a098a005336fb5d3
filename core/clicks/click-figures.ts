import type { Key } from '../table/keys.ts';
import { ConditionFailed, type Item, type Updates } from '../table/table.ts';
import { addAmounts } from './amounts.ts';
import type { ClickRecord } from './click.ts';
import { firstRecords, hoursOf, type ItemRecords, totalsOf } from './figure-items.ts';
import { KnownNames } from './known-names.ts';
import { appending, isDue, type Recent, recentOf, withAddition, writeAddition } from './recent-additions.ts';
import { settle, settledAt } from './settlement.ts';
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
 * Adds a shard's records to an owner's figures, exactly once. The same update moves the item's watermark for the
 * shard, and skips records at or below the stored one. This holds under any repetition, overlap and
 * interruption, as long as a shard's records come in order. Days and hours get the additions later, some at a
 * time.
 */
export const addRecords = async (
  table: Updates,
  added: ItemRecords,
  { now, names = new KnownNames(), settleAt = settledAt }: Adding,
): Promise<void> => {
  const { key, shard, owner } = added;
  let fresh = inOrder(added.records);
  let recent: Recent | undefined;
  while (fresh.length > 0) {
    const portion = firstRecords(fresh, owner);
    const [first, last] = [portion[0], portion.at(-1)] as [ClickRecord, ClickRecord];
    try {
      const text = writeAddition(hoursOf(portion, owner));
      const before = await table.update(additions({ ...added, portion, first, last, text }));
      recent = withAddition(recentOf(before), text);
      fresh = fresh.slice(portion.length);
      await tidy(table, { key, shard, first, before, nowHour: hourOf(now.getTime() / 1000) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      recent = recentOf(error.item);
      const { reached } = readProgress(error.item, shard);
      fresh = fresh.filter(({ position }) => position > reached);
    }
  }
  // Also if all were added before: who added them may have stopped before it settled them.
  if (recent && isDue(recent, settleAt)) await settle(table, { ...added, recent, names });
};

export interface Adding {
  readonly now: Date;
  readonly names?: KnownNames;
  /** Characters of recent additions. */
  readonly settleAt?: number;
}

/** As the shard has them, each once: a poller that is moved may deliver older ones behind newer ones. */
export const inOrder = (records: readonly ClickRecord[]): ClickRecord[] =>
  records
    .toSorted((one, other) => (one.position < other.position ? -1 : 1))
    .filter(({ position }, i, all) => position !== all[i - 1]?.position);

interface Write extends ItemRecords {
  readonly portion: readonly ClickRecord[];
  readonly first: ClickRecord;
  readonly last: ClickRecord;
  readonly text: string;
}

const additions = ({ shard, key, owner, portion, first, last, text }: Write) => {
  const { add, names, values } = addAmounts(totalsOf(portion, owner));
  return {
    Key: key,
    UpdateExpression: `${add}SET #w = :reached, ${appending.expression}`,
    ConditionExpression: 'attribute_not_exists(#w) OR #w < :first',
    ExpressionAttributeNames: { '#w': progressNames(shard).watermark, ...appending.names, ...names },
    ExpressionAttributeValues: {
      ':first': first.position,
      ':reached': writeWatermark(last.position, hourOf(last.created)),
      ...appending.values(text),
      ...values,
    },
    ReturnValues: 'ALL_OLD' as const,
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

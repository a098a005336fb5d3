import { figuresKey } from '../table/keys.ts';
import { ConditionFailed, type Item, type Updates } from '../table/table.ts';
import { type ClickRecord, tally } from './click.ts';
import { figureNames } from './figures.ts';
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

/** Records of one shard: their order and their positions mean something only within it. */
export interface ShardRecords {
  /** Names the shard and the life of the stream that it belongs to. */
  readonly shard: string;
  /** All of one link, at least one. */
  readonly records: readonly ClickRecord[];
}

/** Shards come and go every few hours. Their watermarks go by the handful, so that this is not a write for each. */
const staleAtOnce = 8;

/**
 * Adds a shard's records of one link to the link's figures, exactly once: the same update moves the link's
 * watermark for the shard, and records at or below the stored one were added before. Holds under any repetition,
 * overlap and interruption, as long as a shard's records come in order.
 */
export const addClicks = async (
  table: Updates,
  { shard, records }: ShardRecords,
  now: Date,
): Promise<void> => {
  let fresh = inOrder(records);
  for (;;) {
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    try {
      const before = await table.update(additions(shard, fresh, first, last));
      await tidy(table, { shard, first, before, nowHour: hourOf(now.getTime() / 1000) });
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
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

const additions = (shard: string, records: readonly ClickRecord[], first: ClickRecord, last: ClickRecord) => {
  const { watermark } = progressNames(shard);
  const { expression, names, values } = sum(records);
  return {
    Key: figuresKey(first.project, first.code),
    UpdateExpression: `ADD ${expression} SET #w = :reached`,
    ConditionExpression: 'attribute_not_exists(#w) OR #w < :first',
    ExpressionAttributeNames: { '#w': watermark, ...names },
    ExpressionAttributeValues: {
      ':first': first.position,
      ':reached': writeWatermark(last.position, hourOf(last.created)),
      ...values,
    },
    ReturnValues: 'ALL_OLD' as const,
  };
};

/** What records add to their link's figures, as parts of an update. */
export const sum = (records: readonly ClickRecord[]) => {
  const { clicks, uniques, platforms, countries } = tally(records);
  const counts: [string, number][] = [
    [figureNames.clicks, clicks],
    [figureNames.uniques, uniques],
    ...[...platforms].map(([platform, n]): [string, number] => [figureNames.platformPrefix + platform, n]),
    ...[...countries].map(([country, n]): [string, number] => [figureNames.countryPrefix + country, n]),
  ];
  return {
    expression: counts.map((_, i) => `#c${i} :c${i}`).join(', '),
    names: Object.fromEntries(counts.map(([attribute], i) => [`#c${i}`, attribute])),
    values: Object.fromEntries(counts.map(([, n], i) => [`:c${i}`, n])),
  };
};

interface Added {
  readonly shard: string;
  readonly first: ClickRecord;
  /** The figures as they were before. */
  readonly before: Item;
  readonly nowHour: number;
}

const tidy = async (table: Updates, added: Added): Promise<void> => {
  const { shard, first, before, nowHour } = added;
  const passed = passedOver(added);
  if (passed) await noteGap(table, added, passed);
  const own = Object.values(progressNames(shard));
  const stale = staleNames(before, nowHour).filter((name) => !own.includes(name));
  if (stale.length < staleAtOnce) return;
  await table.update({
    Key: figuresKey(first.project, first.code),
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

const noteGap = async (table: Updates, { shard, first, before }: Added, gap: Span): Promise<void> => {
  const { gaps: name } = progressNames(shard);
  for (let item: Item = before; ; ) {
    const known = item[name];
    try {
      await table.update({
        Key: figuresKey(first.project, first.code),
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

import { createHash } from 'node:crypto';
import { type ClickRecord, tally } from '../click.ts';
import { figureNames } from './figures.ts';
import { figuresKey } from './keys.ts';
import { ConditionFailed, type Item, type Table } from './table.ts';

/** A watermark that nothing can be delivered below any more: streams keep records for 24 hours. */
const staleAfterHours = 72;

const hourOf = (now: Date) => Math.floor(now.getTime() / 3_600_000);

/** Names a shard of one life of a stream: a stream that is made anew starts its positions again. */
const watermarkName = (shard: string): string =>
  figureNames.watermarkPrefix + createHash('sha256').update(shard).digest('base64url').slice(0, 11);

/** `position@hour`. The position comes first, so watermarks compare like positions. */
const watermark = (position: string, now: Date) => `${position}@${hourOf(now)}`;

/**
 * Adds a shard's records of one link to the link's figures, exactly once: the same update moves the link's
 * watermark for the shard, and records at or below the stored one were added before. Holds under any repetition,
 * overlap and interruption, as long as a shard's records come in order.
 */
export const addClicks = async (
  table: Table,
  shard: string,
  records: readonly ClickRecord[],
  now: Date,
): Promise<void> => {
  const name = watermarkName(shard);
  let fresh = records;
  for (;;) {
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    try {
      const figures = await table.update(additions(fresh, name, first, watermark(last.position, now)));
      await dropStaleWatermarks(table, first, figures, now);
      return;
    } catch (error) {
      const stored = error instanceof ConditionFailed && error.item?.[name];
      if (typeof stored !== 'string') throw error;
      const [reached = ''] = stored.split('@');
      fresh = fresh.filter(({ position }) => position > reached);
    }
  }
};

const additions = (records: readonly ClickRecord[], name: string, first: ClickRecord, reached: string) => {
  const { clicks, uniques, platforms, countries } = tally(records);
  const counts: [string, number][] = [
    [figureNames.clicks, clicks],
    [figureNames.uniques, uniques],
    ...[...platforms].map(([platform, n]): [string, number] => [figureNames.platformPrefix + platform, n]),
    ...[...countries].map(([country, n]): [string, number] => [figureNames.countryPrefix + country, n]),
  ];
  return {
    Key: figuresKey(first.project, first.code),
    UpdateExpression: `ADD ${counts.map((_, i) => `#c${i} :c${i}`).join(', ')} SET #w = :reached`,
    ConditionExpression: 'attribute_not_exists(#w) OR #w < :first',
    ExpressionAttributeNames: {
      '#w': name,
      ...Object.fromEntries(counts.map(([attribute], i) => [`#c${i}`, attribute])),
    },
    ExpressionAttributeValues: {
      ':first': first.position,
      ':reached': reached,
      ...Object.fromEntries(counts.map(([, n], i) => [`:c${i}`, n])),
    },
    ReturnValues: 'ALL_NEW' as const,
  };
};

/** Shards come and go every few hours; their watermarks must not pile up on a link that lives for years. */
const dropStaleWatermarks = async (table: Table, link: ClickRecord, figures: Item, now: Date) => {
  const stale = Object.entries(figures).filter(
    ([name, value]) =>
      name.startsWith(figureNames.watermarkPrefix) &&
      Number(String(value).split('@')[1]) < hourOf(now) - staleAfterHours,
  );
  if (stale.length === 0) return;
  await table.update({
    Key: figuresKey(link.project, link.code),
    UpdateExpression: `REMOVE ${stale.map((_, i) => `#w${i}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(stale.map(([name], i) => [`#w${i}`, name])),
  });
};

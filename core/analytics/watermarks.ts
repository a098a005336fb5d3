import { createHash } from 'node:crypto';
import type { Item } from '../table/table.ts';
import { analyticsNames } from './analytics.ts';
import { readDigits, writeDigits } from './positions.ts';

/** Hours for which watermarks are kept: streams deliver records for 24 hours, and two more allow for rounding and clocks. */
const keptHours = 26;

/**
 * The time after which failed records are given up. It is a little less than streams keep records, so that Lambda can
 * still put them into the failures bucket.
 */
export const givenUpMinutes = 23 * 60 + 30;

export const hourOf = (epochSeconds: number): number => Math.floor(epochSeconds / 3600);

/** The last name, cached because all items of a batch ask for the same shard. */
let lastNamed = { shard: '', name: '' };

/** A short name of a shard in a stream; positions start again in a new stream. */
export const shardName = (shard: string): string => {
  if (lastNamed.shard !== shard)
    lastNamed = { shard, name: createHash('sha256').update(shard).digest('base64url').slice(0, 11) };
  return lastNamed.name;
};

export const watermarkOf = (shard: string): string =>
  analyticsNames.watermarkPrefix + shardName(shard).slice(0, 6);

/** Hours since the epoch take this many digits until the year 3883. */
const hourDigits = 4;

/** A watermark: the position, then the hour in which the stream recorded it, so watermarks compare like positions. */
export const writeWatermark = (position: string, createdHour: number): string =>
  position + writeDigits(createdHour, hourDigits);

/** The last position of a shard in an item; empty if there is none. */
export const reachedIn = (item: Item | undefined, shard: string): string =>
  text(item?.[watermarkOf(shard)]).slice(0, -hourDigits);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Names of watermarks that are old enough to remove. */
export const staleNames = (item: Item, nowHour: number): string[] =>
  Object.entries(item)
    .filter(
      ([name, value]) =>
        name.startsWith(analyticsNames.watermarkPrefix) &&
        Number(readDigits(text(value).slice(-hourDigits))) < nowHour - keptHours,
    )
    .map(([name]) => name);

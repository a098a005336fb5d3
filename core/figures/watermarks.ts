import { createHash } from 'node:crypto';
import type { Item } from '../table/table.ts';
import { readDigits, writeDigits } from './click.ts';
import { figureNames } from './figures.ts';

/** Hours for which watermarks are kept: streams deliver records for 24, and the rest is for rounding and for clocks. */
export const keptHours = 26;

/**
 * Failed records are given up after this time and not before. It is a little less than streams keep records, so that
 * Lambda still has them for the failures bucket.
 */
export const givenUpMinutes = 23 * 60 + 30;

export const hourOf = (epochSeconds: number): number => Math.floor(epochSeconds / 3600);

/** A batch is of one shard, and asks for each of its items. */
let lastNamed = { shard: '', name: '' };

/** A short name of a shard of one stream: a new stream starts its positions again. */
export const shardName = (shard: string): string => {
  if (lastNamed.shard !== shard)
    lastNamed = { shard, name: createHash('sha256').update(shard).digest('base64url').slice(0, 11) };
  return lastNamed.name;
};

export const watermarkOf = (shard: string): string =>
  figureNames.watermarkPrefix + shardName(shard).slice(0, 6);

/** Hours since the epoch take this many digits until the year 3883. */
const hourDigits = 4;

/** The position and then the hour in which the stream took the record in, so watermarks compare like positions. */
export const writeWatermark = (position: string, createdHour: number): string =>
  position + writeDigits(createdHour, hourDigits);

/** The last position of a shard that an item has; empty if it has none. */
export const reachedIn = (item: Item | undefined, shard: string): string =>
  text(item?.[watermarkOf(shard)]).slice(0, -hourDigits);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Watermarks old enough to drop. */
export const staleNames = (item: Item, nowHour: number): string[] =>
  Object.entries(item)
    .filter(
      ([name, value]) =>
        name.startsWith(figureNames.watermarkPrefix) &&
        Number(readDigits(text(value).slice(-hourDigits))) < nowHour - keptHours,
    )
    .map(([name]) => name);

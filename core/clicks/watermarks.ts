import { createHash } from 'node:crypto';
import type { Item } from '../table/table.ts';
import { readDigits, writeDigits } from './click.ts';
import { figureNames } from './figures.ts';

/** Between two positions of a shard, both left out. */
export interface Span {
  readonly after: string;
  readonly before: string;
}

/** What a link's figures know of one shard: everything up to `reached` is counted, but for the gaps. */
export interface Progress {
  readonly reached: string;
  /** When the stream took in the last record that was counted; undefined if none was. */
  readonly createdHour: number | undefined;
  readonly gaps: readonly Span[];
}

/** Before every position and behind every position. */
const nowhere = '';
const everywhere = '~';

/**
 * Streams keep records for 24 hours. The rest is the time in which an operator can redrive discarded records;
 * each further hour makes every figures' item larger.
 */
export const keptHours = 48;

/**
 * Failed records are given up after this time and not before. It is a little less than streams keep records, so that
 * Lambda still has them for the failures bucket.
 */
export const givenUpMinutes = 23 * 60 + 30;

/** After so many changes of the hour, records may have been given up. */
export const givenUpHours = Math.floor(givenUpMinutes / 60);

/** Shards take in records for about four hours; later records go to their children. */
export const shardHours = 12;

export const hourOf = (epochSeconds: number): number => Math.floor(epochSeconds / 3600);

/** Names a shard of one stream: a new stream starts its positions again. */
export const progressNames = (shard: string) => {
  const id = createHash('sha256').update(shard).digest('base64url').slice(0, 6);
  return { watermark: figureNames.watermarkPrefix + id, gaps: figureNames.gapsPrefix + id };
};

/** Hours since the epoch take this many digits until the year 3883. */
const hourDigits = 4;

/** The position and then the hour, so watermarks compare like positions. */
export const writeWatermark = (position: string, createdHour: number): string =>
  position + writeDigits(createdHour, hourDigits);

/** `spans@hour`. */
export const writeGaps = (gaps: readonly Span[], createdHour: number): string =>
  `${gaps.map(({ after, before }) => `${after}:${before}`).join(',')}@${writeDigits(createdHour, hourDigits)}`;

export const readProgress = (item: Item | undefined, shard: string): Progress => {
  const names = progressNames(shard);
  const watermark = text(item?.[names.watermark]);
  const [spans = ''] = text(item?.[names.gaps]).split('@');
  return {
    reached: watermark.slice(0, -hourDigits),
    createdHour: watermark === '' ? undefined : readHour(watermark),
    gaps: spans === '' ? [] : spans.split(',').map(readSpan),
  };
};

/** Of a watermark or of gaps. */
const readHour = (text: string): number => Number(readDigits(text.slice(-hourDigits)));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const readSpan = (span: string): Span => {
  const [after = nowhere, before = nowhere] = span.split(':');
  return { after, before };
};

const uncounted = ({ reached, gaps }: Progress): Span[] => [...gaps, { after: reached, before: everywhere }];

export const isUncounted = (progress: Progress, position: string): boolean =>
  uncounted(progress).some(({ after, before }) => after < position && position < before);

/** The progress once everything from `first` to `last` is counted, wherever that range is. */
export const withCounted = (
  progress: Progress,
  first: string,
  last: string,
): Pick<Progress, 'reached' | 'gaps'> => {
  const left = uncounted(progress).flatMap((span) => {
    if (last <= span.after || span.before <= first) return [span];
    return [
      { after: span.after, before: first },
      { after: last, before: span.before },
    ].filter(({ after, before }) => after < before);
  });
  return {
    reached: left.find(({ before }) => before === everywhere)?.after ?? last,
    gaps: left.filter(({ before }) => before !== everywhere),
  };
};

/** Watermark and gap attributes old enough to drop. */
export const staleNames = (item: Item, nowHour: number): string[] =>
  Object.entries(item)
    .filter(
      ([name, value]) =>
        // Written longer than they are now.
        /^[wg]#/.test(name) ||
        ((name.startsWith(figureNames.watermarkPrefix) || name.startsWith(figureNames.gapsPrefix)) &&
          readHour(text(value)) < nowHour - keptHours),
    )
    .map(([name]) => name);

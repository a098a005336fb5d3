import { dayMs, hourMs } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import type { DayUnit } from '../table/analytics-keys.ts';

/** The length of a bucket, aligned in UTC. */
export type Granularity = 'hour' | 'day' | 'month';

export const intervals = ['24h', '7d', '30d', '90d', '1y', 'all'] as const;
export type Interval = (typeof intervals)[number];

/** A range in epoch milliseconds, excluding `end`. */
export type TimeRange = Readonly<Record<'start' | 'end', number>>;

export interface BucketRange extends TimeRange {
  readonly granularity: Granularity;
}

/** A requested range; times are in epoch milliseconds. */
export interface RangeRequest {
  readonly interval: Interval;
  /** Takes precedence over the interval. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly granularity?: Granularity | undefined;
  readonly now: number;
  /** The beginning of `all`; undefined if there is nothing yet. */
  readonly beginning?: number | undefined;
}

/** The year 0, the first one with four digits. */
const earliest = Date.UTC(2000, 0) - 730_485 * dayMs;

const floorMonth = (time: number, later = 0): number => {
  const date = new Date(time);
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
  return start.getTime();
};

const unitMs = { hour: hourMs, day: dayMs };

export const floorTo = (granularity: Granularity, time: number): number =>
  granularity === 'month' ? floorMonth(time) : Math.floor(time / unitMs[granularity]) * unitMs[granularity];

/** The start of the next bucket. */
const next = (granularity: Granularity, start: number): number =>
  granularity === 'month' ? floorMonth(start, 1) : start + unitMs[granularity];

const ceilTo = (granularity: Granularity, time: number): number => {
  const floor = floorTo(granularity, time);
  return floor === time ? time : next(granularity, floor);
};

/**
 * A requested range in whole buckets. Undefined if it is empty: its start isn't before its end, or `all` is requested
 * and there is nothing yet.
 */
export const bucketRange = (request: RangeRequest): BucketRange | undefined => {
  const { now, end: asked = now } = request;
  const end = Math.min(asked, now);
  // A range that ends now includes the present bucket.
  const last = asked > end || end === now ? end : end - 1;
  const start = Math.max(earliest, request.start ?? startOf(request.interval, last, request.beginning));
  if (!(start <= last)) return undefined;
  const granularity = request.granularity ?? granularityOf(end - start);
  return {
    granularity,
    start: floorTo(granularity, start),
    end: next(granularity, floorTo(granularity, last)),
  };
};

const startOf = (interval: Interval, last: number, beginning = Number.POSITIVE_INFINITY): number => {
  // An imported link may have a very early creation time, but its series must not have too many buckets.
  if (interval === 'all') return Math.max(beginning, floorMonth(last, 1 - limits.buckets));
  if (interval === '24h') return floorTo('hour', last) - 23 * hourMs;
  const days = interval === '1y' ? 365 : Number(interval.slice(0, -1));
  return floorTo('day', last) - (days - 1) * dayMs;
};

const granularityOf = (length: number): Granularity => {
  if (length <= 48 * hourMs) return 'hour';
  return length <= 400 * dayMs ? 'day' : 'month';
};

/** The starts of a range's buckets, oldest first; undefined if there are more than `most`. */
export const bucketsOf = ({ granularity, start, end }: BucketRange, most: number): number[] | undefined => {
  const starts: number[] = [];
  for (let at = start; at < end; at = next(granularity, at)) {
    if (starts.length === most) return undefined;
    starts.push(at);
  }
  return starts;
};

/** The range of so many buckets right before another range. */
export const rangeBefore = (range: BucketRange, buckets: number): BucketRange => {
  const { granularity, start: end } = range;
  const start = granularity === 'month' ? floorMonth(end, -buckets) : end - buckets * unitMs[granularity];
  return { granularity, start: Math.max(earliest, start), end };
};

/** A run of items of one kind that cover a part of a range. */
export interface Span extends TimeRange {
  readonly unit: DayUnit | 'hour';
}

/** The fewest items that cover a range: whole days of a unit, and the hours before and after them. */
export const spansOf = ({ granularity, start, end }: BucketRange, unit: DayUnit = 'day'): Span[] => {
  const [firstDay, lastDay] = [ceilTo('day', start), floorTo('day', end)];
  if (granularity !== 'hour') return [{ unit, start, end }];
  if (firstDay >= lastDay) return [{ unit: 'hour', start, end }];
  const spans: Span[] = [
    { unit: 'hour', start, end: firstDay },
    { unit, start: firstDay, end: lastDay },
    { unit: 'hour', start: lastDay, end },
  ];
  return spans.filter((span) => span.start < span.end);
};

/** The parts of ranges for which analytics are kept; all of them without `days`. */
export const keptPart = <Range extends TimeRange>(
  ranges: readonly Range[],
  now: number,
  days?: number,
): Range[] => {
  if (days === undefined) return [...ranges];
  const oldest = floorTo('day', now) - days * dayMs;
  return ranges
    .map((range) => ({ ...range, start: Math.max(range.start, oldest) }))
    .filter(({ start, end }) => start < end);
};

import type { DimensionName } from '../analytics/dimensions.ts';
import {
  type BucketRange,
  bucketsOf,
  floorTo,
  keptPart,
  type Span,
  spansOf,
} from '../analytics/time-range.ts';
import type { TimeseriesPoint, timeseriesStore } from '../analytics/timeseries-store.ts';
import { refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';
import type { linkStore } from '../links/link-store.ts';
import type { DayUnit, Owner } from '../table/analytics-keys.ts';
import { type CountedKind, countOf, rankedGroup } from './groupings.ts';

/** Stores from which analytics are read. */
export interface AnalyticsReads {
  readonly timeseries: Pick<ReturnType<typeof timeseriesStore>, 'find'>;
  readonly links: Pick<ReturnType<typeof linkStore>, 'existing'>;
}

/** One name of a dimension or one tag, to get its clicks. */
export interface AnalyticsFilter {
  readonly group: DimensionName | 'tags';
  readonly name: string;
}

interface Asked {
  /** The range; undefined if nothing was counted. */
  readonly range: BucketRange | undefined;
  readonly now: Date;
  /** Days for which analytics over time are shown; all of them if undefined. */
  readonly retentionDays: number | undefined;
}

/**
 * Analytics of a link or a project in a range: every grouping of `GET /analytics`, for the API, commands and consoles.
 * Items are read once for all groupings; expired days are never read.
 */
export const rangeAnalytics = (
  { timeseries, links }: AnalyticsReads,
  owner: Owner,
  { range, now, retentionDays }: Asked,
) => {
  const reads = new Map<string, Promise<TimeseriesPoint[]>>();
  const find = (spans: readonly Span[]): Promise<TimeseriesPoint[]> => {
    const kept = keptPart(spans, now.getTime(), retentionDays);
    const asked = JSON.stringify(kept);
    const read = reads.get(asked) ?? timeseries.find(owner, kept, now);
    reads.set(asked, read);
    return read;
  };
  const summed = (unit?: DayUnit) => find(range ? spansOf(range, unit) : []);
  /** Every bucket of the range with its counts, oldest first. Throws INVALID_PARAMETERS for too many buckets. */
  const perBucket = async <Counts extends object>(counts: (series: readonly TimeseriesPoint[]) => Counts) => {
    if (!range) return [];
    const buckets = bucketsOf(range, limits.buckets);
    const tooMany = buckets ? [] : [fault('granularity', 'tooManyBuckets', { limit: limits.buckets })];
    refuseFaults(tooMany, 'INVALID_PARAMETERS');
    const { granularity, start, end } = range;
    const series = await find([{ unit: granularity === 'hour' ? 'hour' : 'day', start, end }]);
    const found = Map.groupBy(series, (point) => floorTo(granularity, point.start));
    return (buckets ?? []).map((at) => ({
      start: new Date(at).toISOString(),
      ...counts(found.get(at) ?? []),
    }));
  };
  return {
    count: async <Event extends CountedKind>(event: Event) => countOf(event, await summed()),

    timeseries: <Event extends CountedKind>(event: Event) => perBucket((series) => countOf(event, series)),

    /** Clicks by name, in descending order, then by name. */
    names: async (group: DimensionName | 'tags') => rankedGroup(group, await summed()),

    /** Clicks of one name in every bucket. Uniques aren't counted by name. */
    timeseriesOfName: ({ group, name }: AnalyticsFilter) =>
      perBucket((series) => ({
        clicks: rankedGroup(group, series).find(([one]) => one === name)?.[1] ?? 0,
      })),

    /** The busiest links that aren't deleted. A range can have a hundred thousand; only some are looked up. */
    async busiestLinks() {
      const { candidates, shown } = limits.busiestLinks;
      const busy = rankedGroup('links', await summed('dayByLink')).slice(0, candidates);
      const codes = busy.map(([code]) => code);
      const live = await links.existing(owner.project, codes);
      return busy
        .filter(([code]) => live.has(code))
        .slice(0, shown)
        .map(([code, clicks]) => ({ code, clicks }));
    },
  };
};

export type RangeAnalytics = ReturnType<typeof rangeAnalytics>;

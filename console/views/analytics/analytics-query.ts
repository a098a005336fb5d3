import { type DimensionName, dimensionNames } from '../../../core/analytics/dimensions.ts';
import type { intervals as knownIntervals } from '../../../core/analytics/time-range.ts';

type Interval = (typeof knownIntervals)[number];
export type FilterGroup = DimensionName | 'tags';

/** The groups of names by which clicks can be filtered. */
export const filterGroups: readonly FilterGroup[] = [...dimensionNames, 'tags'];

export const intervalLabels: readonly (readonly [Interval, string])[] = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['1y', '1 year'],
  ['all', 'All time'],
];

/** The choices of a analytics view, as in its address. */
export interface AnalyticsQuery {
  readonly interval: Interval;
  /** Days in UTC, such as 2026-11-21; they take precedence over the interval. */
  readonly days?: { readonly from: string; readonly to: string } | undefined;
  readonly only?: { readonly group: FilterGroup; readonly name: string } | undefined;
  /** The code of a link on the same chart, instead of the period before. */
  readonly versus?: string | undefined;
  readonly compare: boolean;
}

const usual: Interval = '30d';
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

export const analyticsQueryOf = (query: URLSearchParams): AnalyticsQuery => {
  const [from, to, name] = [query.get('from') ?? '', query.get('to') ?? '', query.get('is')];
  const group = filterGroups.find((one) => one === query.get('by'));
  const versus = query.get('with');
  return {
    interval: intervalLabels.find(([one]) => one === query.get('interval'))?.[0] ?? usual,
    ...(dayPattern.test(from) && dayPattern.test(to) && { days: { from, to } }),
    ...(group !== undefined && name !== null && { only: { group, name } }),
    ...(versus && { versus }),
    compare: !versus && query.get('compare') === '1',
  };
};

/** The address's query for these choices. */
export const queryOfAnalytics = ({
  interval,
  days,
  only,
  versus,
  compare,
}: AnalyticsQuery): Record<string, string> => ({
  ...(days ?? (interval !== usual && { interval })),
  ...(versus ? { with: versus } : compare && { compare: '1' }),
  ...(only && { by: only.group, is: only.name }),
});

/** The range as API parameters. */
export const apiRange = ({
  interval,
  days,
}: AnalyticsQuery): Pick<AnalyticsQuery, 'interval'> | Record<'start' | 'end', string> =>
  days ? { start: days.from, end: days.to } : { interval };

const dayMs = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const yesterday = (now: number): { readonly from: string; readonly to: string } => {
  const day = dayOf(now - dayMs);
  return { from: day, to: day };
};

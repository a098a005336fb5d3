import { type Group, unnamed } from '../analytics/analytics.ts';
import { dimensions, noValues } from '../analytics/dimensions.ts';
import type { TimeseriesPoint } from '../analytics/timeseries-store.ts';

export const events = ['clicks', 'opens'] as const;
export type CountedKind = (typeof events)[number];

const sumOf = (series: readonly TimeseriesPoint[], of: 'clicks' | 'uniqueClicks' | 'opens' | 'firstOpens') =>
  series.reduce((sum, one) => sum + one[of], 0);

export interface EventCounts {
  readonly clicks: { readonly clicks: number; readonly uniqueClicks: number };
  readonly opens: { readonly opens: number; readonly firstOpens: number };
}

const counted: {
  readonly [Event in CountedKind]: (series: readonly TimeseriesPoint[]) => EventCounts[Event];
} = {
  clicks: (series) => ({ clicks: sumOf(series, 'clicks'), uniqueClicks: sumOf(series, 'uniqueClicks') }),
  opens: (series) => ({ opens: sumOf(series, 'opens'), firstOpens: sumOf(series, 'firstOpens') }),
};

export const countOf = <Event extends CountedKind>(event: Event, series: readonly TimeseriesPoint[]) =>
  counted[event](series);

/** Names with their counts, by descending count, then by name, without zeros. */
export const ranked = (counts: Iterable<readonly [string, number]>): [string, number][] => {
  const sums = new Map<string, number>();
  for (const [name, n] of counts) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums].filter(([, n]) => n > 0).sort(([name, n], [other, m]) => m - n || (name < other ? -1 : 1));
};

/** A group's names with their counts, including clicks stored without a name, but not links and tags without a place. */
export const rankedGroup = (group: Group, series: readonly TimeseriesPoint[]): [string, number][] => {
  const named = series.flatMap(({ groups }) => Object.entries(groups(group)));
  if (group === 'links' || group === 'tags') return ranked(named.filter(([name]) => name !== unnamed));
  if (dimensions[group].storesAll) return ranked(named);
  const nameless = named.reduce((rest, [, n]) => rest - n, sumOf(series, 'clicks'));
  return ranked([...named, [noValues[dimensions[group].field], nameless]]);
};

import { dimensionNames } from '../../../core/analytics/dimensions.ts';
import { writeRecord } from '../../../core/base/csv-cells.ts';
import { type LinkAnalyticsOutput, rankedNames } from './analytics-names.ts';

/** Clicks and visitors by hour, day or month, and those of the period before if shown. */
export const seriesCsv = ({ clicks, opens, before, only }: LinkAnalyticsOutput): string => {
  const isNamed = only !== undefined;
  const head = [
    'start',
    'clicks',
    ...(isNamed ? [] : ['uniqueClicks', 'opens']),
    ...(before ? ['clicksBefore'] : []),
  ];
  const rows = clicks.timeseries.map((one, i) => [
    one.start,
    only ? only[i]?.clicks : one.clicks,
    ...(isNamed ? [] : [one.uniqueClicks, opens.timeseries[i]?.opens ?? 0]),
    ...(before ? [(before.only ?? before.clicks.timeseries)[i]?.clicks] : []),
  ]);
  return [head, ...rows].map((cells) => writeRecord(cells.map((cell) => String(cell ?? '')))).join('');
};

/** The entries of each list, by the API's names. */
export const groupsCsv = (analytics: LinkAnalyticsOutput): string => {
  const rows = [...dimensionNames, 'tags' as const, 'links' as const].flatMap((group) =>
    rankedNames(analytics, group).map(({ name, count }) => [group, name, String(count)]),
  );
  return [['group', 'name', 'clicks'], ...rows].map(writeRecord).join('');
};

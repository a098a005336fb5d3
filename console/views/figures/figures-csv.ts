import type { ShownFigures } from '../../../ops/console/calls/figures.ts';
import { writeRecord } from '../../../ops/transfer/csv.ts';

/** Clicks and visitors by hour, day or month, with those before if they are shown. */
export const seriesCsv = ({ series, before, only }: ShownFigures): string => {
  const isNamed = only !== undefined;
  const head = [
    'start',
    'clicks',
    ...(isNamed ? [] : ['uniqueClicks', 'opens']),
    ...(before ? ['clicksBefore'] : []),
  ];
  const rows = series.map(({ start, clicks, uniqueClicks, opens }, i) => [
    start,
    only ? only.series[i]?.clicks : clicks,
    ...(isNamed ? [] : [uniqueClicks, opens]),
    ...(before ? [(before.only ?? before).series[i]?.clicks] : []),
  ]);
  return [head, ...rows].map((cells) => writeRecord(cells.map((cell) => String(cell ?? '')))).join('');
};

/** The entries of each list by the names of the API. */
export const groupsCsv = ({ groups, links = [] }: ShownFigures): string => {
  const lists = [...Object.entries(groups), ['links', links] as const];
  const rows = lists.flatMap(([group, entries]) =>
    entries.map(({ name, clicks }) => [group, name, String(clicks)]),
  );
  return [['group', 'name', 'clicks'], ...rows].map(writeRecord).join('');
};

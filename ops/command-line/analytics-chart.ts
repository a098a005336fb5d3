import { dimensionTexts } from '../../core/analytics/dimension-texts.ts';
import { dimensionNames, dimensions, isIncluded } from '../../core/analytics/dimensions.ts';
import { excludedName, shownName } from '../../core/analytics/shown-names.ts';
import { inColumns } from '../base/columns.ts';
import type { AnalyticsView, LinkAnalytics, NamedClicks, ProjectAnalytics } from '../links/analytics.ts';

const namesShown = 10;

/**
 * The analytics of a link or a project as text: sums, a bar for each day, and the visitors' groups, in the words of the consoles. `columns` is the
 * width of the terminal; without one, bars are 40 wide and made of `#`, which is plain ASCII.
 */
export const analyticsChart = (analytics: LinkAnalytics | ProjectAnalytics, columns: number | undefined) => {
  const { range } = analytics;
  const [from, to] = [range.series.at(0), range.series.at(-1)].map((day) => day?.start.slice(0, 10));
  const bar = barsOf(columns);
  const isLink = 'code' in analytics;
  const allTime = isLink ? [['All time', analytics.clicks, analytics.uniques, '', '']] : [];
  const excluded = isLink ? Object.entries(analytics.excluded) : [];
  const leftOut = excluded.map(([name, visits]) => ({ name: excludedName(name), clicks: visits }));
  const { links: busiest, tags } = isLink ? { links: [], tags: [] } : analytics;
  return [
    `${analytics.project}${isLink ? `/${analytics.code}` : ''} from ${from} to ${to} in UTC`,
    table([
      ['', 'Clicks', 'Visitors', 'App opens', 'First opens'],
      ['These days', ...Object.values(range.count), ...Object.values(range.opens)],
      ...allTime,
    ]),
    ...(range.count.clicks > 0 ? [days(range.series, bar)] : []),
    ...(busiest.length > 0 ? [names('Busiest links', busiest, bar)] : []),
    ...(range.count.clicks > 0 ? groups(range, bar) : []),
    ...(tags.length > 0 ? [names('Tags', tags, bar, range.count.clicks)] : []),
    ...(leftOut.length > 0 ? [names('Visits that don’t count, all time', leftOut, bar)] : []),
  ].join('\n\n');
};

type Bar = (amount: number, most: number) => string;

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Makes bars; every value above 0 gets one. */
const barsOf = (columns: number | undefined): Bar => {
  const width = columns === undefined ? 40 : Math.min(60, Math.max(10, columns - 40));
  return (amount, most) => {
    const cells = (amount / most) * width;
    if (amount === 0) return '';
    if (columns === undefined) return '#'.repeat(Math.max(1, Math.round(cells)));
    const parts = Math.max(1, Math.round(cells * 8));
    return '█'.repeat(Math.floor(parts / 8)) + eighths[parts % 8];
  };
};

const days = (series: AnalyticsView['series'], bar: Bar): string => {
  const most = Math.max(...series.map(({ clicks }) => clicks));
  return table([
    ['Day', 'Clicks', 'Visitors'],
    ...series.map(({ start, clicks, uniqueClicks }) => [
      start.slice(0, 10),
      clicks,
      uniqueClicks,
      bar(clicks, most),
    ]),
  ]);
};

const groups = ({ groups }: AnalyticsView, bar: Bar): string[] =>
  dimensionNames
    // A link without rules has no such analytics.
    .filter((group) => groups[group].some(({ name }) => isIncluded(dimensions[group], name)))
    .map((group) => {
      const shown = groups[group].map(({ name, clicks }) => ({ name: shownName(group, name), clicks }));
      return names(dimensionTexts[group].title, shown, bar);
    });

const names = (title: string, counts: readonly NamedClicks[], bar: Bar, sum = sumOf(counts)): string => {
  const ranked = counts.toSorted((one, other) => other.clicks - one.clicks);
  const [shown, others] = [ranked.slice(0, namesShown), ranked.slice(namesShown)];
  const rest = { name: `${others.length} more`, clicks: sumOf(others) };
  const most = Math.max(...counts.map(({ clicks }) => clicks));
  return table([
    [title],
    ...[...shown, ...(others.length > 0 ? [rest] : [])].map((one) => [
      one.name,
      one.clicks,
      `${Math.round((100 * one.clicks) / sum)} %`.padStart(5),
      one === rest ? '' : bar(one.clicks, most),
    ]),
  ]);
};

const sumOf = (counts: readonly NamedClicks[]): number => counts.reduce((sum, { clicks }) => sum + clicks, 0);

/** Rows with a head; numbers and their heads are right-aligned. */
const table = (rows: readonly (readonly (string | number)[])[]): string => {
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
  );
  const longest = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: longest }, (_, i) => ({
    width: Math.max(...texts.map((row) => row[i]?.length ?? 0)),
    isNumeric: rows.some((row) => typeof row[i] === 'number'),
  }));
  return inColumns(
    texts.map((row) =>
      columns.map(({ width, isNumeric }, i) => (isNumeric ? (row[i] ?? '').padStart(width) : (row[i] ?? ''))),
    ),
  );
};

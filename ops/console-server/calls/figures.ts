import * as z from 'zod';
import { limits } from '../../../core/base/limits.ts';
import { queryFigures, rangeOf } from '../../../core/figure-queries/query-figures.ts';
import { type RangeFigures, rangeFigures } from '../../../core/figure-queries/range-figures.ts';
import { splitNames } from '../../../core/figures/splits.ts';
import { type BucketRange, bucketsOf, intervals, rangeBefore } from '../../../core/figures/time-range.ts';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { findProject } from '../../projects/projects.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

const day = z.iso.date().optional();

/** One name of a grouping, to get its clicks over time. */
const only = z.object({ group: z.enum(splitNames), name: z.string() });

const asked = z.object({
  project,
  code: linkCode.optional(),
  interval: z.enum(intervals).optional(),
  /** Days in UTC, including the last one; they take precedence over the interval. */
  start: day,
  end: day,
  only: only.optional(),
  compare: z.boolean().default(false),
});

export const figureCalls = {
  recentClicks: consoleCall(
    asked.pick({ project: true, code: true }),
    async ({ project, code }, { deployment, now }) => {
      const { stores, figuresRetentionDays } = deployment;
      const context = { project, now, figuresRetentionDays };
      const query = { code, interval: '30d', event: 'clicks' } as const;
      return (await queryFigures(stores, ['timeseries'], query, context)).timeseries;
    },
  ),

  /** Everything that `GET /analytics` returns for a range, and comparisons for operators. */
  figures: consoleCall(asked, async ({ project, only, compare, ...query }, { deployment, now }) => {
    await findProject(deployment, project);
    const { stores, figuresRetentionDays } = deployment;
    const { code } = query;
    const context = { project, now, figuresRetentionDays };
    const others = code === undefined ? (['links', 'tags'] as const) : (['excluded'] as const);
    const figuresIn = (range: BucketRange | undefined) =>
      rangeFigures(stores, { project, code }, { range, now, retentionDays: figuresRetentionDays });
    const [clicks, opens, range] = await Promise.all([
      queryFigures(stores, [...series, ...splitNames, ...others], { ...query, event: 'clicks' }, context),
      queryFigures(stores, series, { ...query, event: 'opens' }, context),
      rangeOf(stores, query, context),
    ]);
    const named = only && (await namedSeries(figuresIn(range), only));
    const before = compare && range ? await earlier(figuresIn(justBefore(range)), only) : undefined;
    return { clicks, opens, ...(named && { only: named }), ...(before && { before }) };
  }),
};

const series = ['count', 'timeseries'] as const;

const earlier = async (figures: RangeFigures, name: z.output<typeof only> | undefined) => {
  const of = async <Event extends 'clicks' | 'opens'>(event: Event) => ({
    count: await figures.count(event),
    timeseries: await figures.timeseries(event),
  });
  const [clicks, opens] = await Promise.all([of('clicks'), of('opens')]);
  return { clicks, opens, ...(name && { only: await namedSeries(figures, name) }) };
};

const namedSeries = async (figures: RangeFigures, { group, name }: z.output<typeof only>) => ({
  clicks: (await figures.names(group)).find(([one]) => one === name)?.[1] ?? 0,
  series: await figures.timeseriesOfName(group, name),
});

const justBefore = (range: BucketRange): BucketRange =>
  rangeBefore(range, bucketsOf(range, limits.buckets)?.length ?? 0);

import * as z from 'zod';
import { dimensionNames } from '../../../core/analytics/dimensions.ts';
import { type BucketRange, bucketsOf, intervals, rangeBefore } from '../../../core/analytics/time-range.ts';
import { queryAnalytics, rangeOf } from '../../../core/analytics-queries/query-analytics.ts';
import { type RangeAnalytics, rangeAnalytics } from '../../../core/analytics-queries/range-analytics.ts';
import { limits } from '../../../core/base/limits.ts';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import { findProject } from '../../projects/projects.ts';
import { consoleCall } from '../call.ts';
import { project } from './projects.ts';

const day = z.iso.date().optional();

/** One name of a grouping, to get its clicks over time. */
const only = z.object({ group: z.enum([...dimensionNames, 'tags']), name: z.string() });

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

export const analyticsCalls = {
  recentClicks: consoleCall(
    asked.pick({ project: true, code: true }),
    async ({ project, code }, { deployment, now }) => {
      const { stores, figuresRetentionDays } = deployment;
      const context = { project, now, figuresRetentionDays };
      const query = { code, interval: '30d', event: 'clicks' } as const;
      return (await queryAnalytics(stores, ['timeseries'], query, context)).timeseries;
    },
  ),

  /** Everything that `GET /analytics` returns for a range, and comparisons for operators. */
  analytics: consoleCall(asked, async ({ project, only, compare, ...query }, { deployment, now }) => {
    await findProject(deployment, project);
    const { stores, figuresRetentionDays } = deployment;
    const { code } = query;
    const context = { project, now, figuresRetentionDays };
    const others = code === undefined ? (['links', 'tags'] as const) : (['excluded'] as const);
    const analyticsIn = (range: BucketRange | undefined) =>
      rangeAnalytics(stores, { project, code }, { range, now, retentionDays: figuresRetentionDays });
    const [clicks, opens, range] = await Promise.all([
      queryAnalytics(
        stores,
        [...series, ...dimensionNames, ...others],
        { ...query, event: 'clicks' },
        context,
      ),
      queryAnalytics(stores, series, { ...query, event: 'opens' }, context),
      rangeOf(stores, query, context),
    ]);
    const named = only && (await analyticsIn(range).timeseriesOfName(only));
    const before = compare && range ? await earlier(analyticsIn(justBefore(range)), only) : undefined;
    return { clicks, opens, ...(named && { only: named }), ...(before && { before }) };
  }),
};

const series = ['count', 'timeseries'] as const;

const earlier = async (analytics: RangeAnalytics, name: z.output<typeof only> | undefined) => {
  const of = async <Event extends 'clicks' | 'opens'>(event: Event) => ({
    count: await analytics.count(event),
    timeseries: await analytics.timeseries(event),
  });
  const [clicks, opens] = await Promise.all([of('clicks'), of('opens')]);
  return { clicks, opens, ...(name && { only: await analytics.timeseriesOfName(name) }) };
};

const justBefore = (range: BucketRange): BucketRange =>
  rangeBefore(range, bucketsOf(range, limits.buckets)?.length ?? 0);

import { type DimensionName, dimensionNames } from '../../core/analytics/dimensions.ts';
import { type BucketRange, bucketRange } from '../../core/analytics/time-range.ts';

import {
  type RangeAnalytics as Analytics,
  rangeAnalytics,
} from '../../core/analytics-queries/range-analytics.ts';
import { dayMs } from '../../core/base/durations.ts';
import { limits } from '../../core/base/limits.ts';
import type { Owner } from '../../core/table/analytics-keys.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { noLink } from './links.ts';

export interface NamedClicks {
  readonly name: string;
  readonly clicks: number;
}

export type AnalyticsView = Awaited<ReturnType<typeof shownAnalytics>>;

/** The analytics of a time range: every bucket, oldest first, and of each group the highest first, then by name. */
const shownAnalytics = async (analytics: Analytics) => {
  const [count, opens, clicked, opened, groups] = await Promise.all([
    analytics.count('clicks'),
    analytics.count('opens'),
    analytics.timeseries('clicks'),
    analytics.timeseries('opens'),
    Promise.all(dimensionNames.map(async (group) => [group, (await analytics.names(group)).map(nameClicks)])),
  ]);
  return {
    count,
    opens,
    series: clicked.map((one, i) => ({ ...one, opens: opened[i]?.opens ?? 0 })),
    groups: Object.fromEntries(groups) as Record<DimensionName, NamedClicks[]>,
  };
};

const nameClicks = ([name, clicks]: readonly [string, number]): NamedClicks => ({ name, clicks });

export interface LastDays {
  /** From 1 to the buckets of `limits`; 30 unless given. */
  readonly days?: number | undefined;
  readonly now?: Date;
}

export type ProjectAnalytics = Awaited<ReturnType<typeof projectAnalytics>>;

/**
 * A project's last days, today included, its links with the most clicks of them, and its tags: a click counts under each
 * tag of its link. Throws OperatorError if there is no such project, and UsageError for too many days.
 */
export const projectAnalytics = async (deployment: Deployment, project: string, last: LastDays = {}) => {
  const range = lastDays(last);
  await findProject(deployment, project);
  const analytics = analyticsOf(deployment, { project }, range, last.now);
  const [ranged, links, tags] = await Promise.all([
    shownAnalytics(analytics),
    analytics.busiestLinks(),
    analytics.names('tags'),
  ]);
  return {
    project,
    range: ranged,
    links: links.map(({ code: name, clicks }) => ({ name, clicks })),
    tags: tags.map(nameClicks),
  };
};

const analyticsOf = (
  { stores, figuresRetentionDays: retentionDays }: Deployment,
  owner: Owner,
  range: BucketRange | undefined,
  now = new Date(),
): Analytics => rangeAnalytics(stores, owner, { range, now, retentionDays });

const lastDays = ({ days = 30, now = new Date() }: LastDays): BucketRange | undefined => {
  if (days > limits.buckets) throw new UsageError(`--days must be at most ${limits.buckets}`);
  const start = now.getTime() - (days - 1) * dayMs;
  return bucketRange({ interval: '30d', start, granularity: 'day', now: now.getTime() });
};

export type LinkAnalytics = Awaited<ReturnType<typeof linkAnalytics>>;

/**
 * A link's totals, excluded visits and last days, also of a deleted link. Throws OperatorError if the project has
 * never had such a link, and UsageError for too many days.
 */
export const linkAnalytics = async (
  deployment: Deployment,
  { project, code }: LinkId,
  last: LastDays = {},
) => {
  const { stores } = deployment;
  const range = lastDays(last);
  await findProject(deployment, project);
  if (!(await stores.links.isTaken(project, code))) throw noLink({ project, code });
  const [{ analytics, excluded }, ranged] = await Promise.all([
    stores.analytics.find(project, code),
    shownAnalytics(analyticsOf(deployment, { project, code }, range, last.now)),
  ]);
  return { project, code, ...analytics, excluded, range: ranged };
};

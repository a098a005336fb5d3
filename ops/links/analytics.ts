import type { Analytics as Totals } from '../../core/analytics/analytics.ts';
import { type DimensionName, dimensionNames } from '../../core/analytics/dimensions.ts';
import { type BucketRange, bucketRange } from '../../core/analytics/time-range.ts';
import type { EventCounts } from '../../core/analytics-queries/groupings.ts';
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

/** The analytics of a time range. */
export interface AnalyticsView {
  readonly count: EventCounts['clicks'];
  readonly opens: EventCounts['opens'];
  /** Every bucket of the range, oldest first; `start` in ISO 8601. */
  readonly series: readonly (EventCounts['clicks'] & { readonly start: string; readonly opens: number })[];
  /** The highest first, then by name. */
  readonly groups: Readonly<Record<DimensionName, readonly NamedClicks[]>>;
}

const shownAnalytics = async (analytics: Analytics): Promise<AnalyticsView> => {
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
    groups: Object.fromEntries(groups) as AnalyticsView['groups'],
  };
};

const nameClicks = ([name, clicks]: readonly [string, number]): NamedClicks => ({ name, clicks });

export interface LinkAnalytics extends LinkId, Totals {
  readonly excluded: Readonly<Record<string, number>>;
  /** The last days, today included. */
  readonly range: AnalyticsView;
}

export interface LastDays {
  /** From 1 to the buckets of `limits`; 30 unless given. */
  readonly days?: number | undefined;
  readonly now?: Date;
}

/** A project's last days, today included, and its links with the most clicks of them. */
export interface ProjectAnalytics {
  readonly project: string;
  readonly range: AnalyticsView;
  readonly links: readonly NamedClicks[];
  /** A click counts under each tag of its link. */
  readonly tags: readonly NamedClicks[];
}

/** Throws OperatorError if there is no such project, and UsageError for too many days. */
export const projectAnalytics = async (
  deployment: Deployment,
  project: string,
  last: LastDays = {},
): Promise<ProjectAnalytics> => {
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

/**
 * A link's totals, excluded visits and last days, also of a deleted link. Throws OperatorError if the project has
 * never had such a link, and UsageError for too many days.
 */
export const linkAnalytics = async (
  deployment: Deployment,
  { project, code }: LinkId,
  last: LastDays = {},
): Promise<LinkAnalytics> => {
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

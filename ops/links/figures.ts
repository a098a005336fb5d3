import { dayMs } from '../../core/base/durations.ts';
import { limits } from '../../core/base/limits.ts';
import type { EventCounts } from '../../core/figure-queries/groupings.ts';
import { type RangeFigures as Figures, rangeFigures } from '../../core/figure-queries/range-figures.ts';
import type { Figures as Totals } from '../../core/figures/figures.ts';
import { type SplitName, splitNames } from '../../core/figures/splits.ts';
import { type BucketRange, bucketRange } from '../../core/figures/time-range.ts';
import type { Owner } from '../../core/table/figure-keys.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findProject } from '../projects/projects.ts';
import { noLink } from './links.ts';

export interface NamedClicks {
  readonly name: string;
  readonly clicks: number;
}

/** The figures of a time range. */
export interface ShownFigures {
  readonly count: EventCounts['clicks'];
  readonly opens: EventCounts['opens'];
  /** Every bucket of the range, oldest first; `start` in ISO 8601. */
  readonly series: readonly (EventCounts['clicks'] & { readonly start: string; readonly opens: number })[];
  /** The highest first, then by name. */
  readonly groups: Readonly<Record<SplitName, readonly NamedClicks[]>>;
}

const shownFigures = async (figures: Figures): Promise<ShownFigures> => {
  const [count, opens, clicked, opened, groups] = await Promise.all([
    figures.count('clicks'),
    figures.count('opens'),
    figures.timeseries('clicks'),
    figures.timeseries('opens'),
    Promise.all(splitNames.map(async (group) => [group, (await figures.names(group)).map(nameClicks)])),
  ]);
  return {
    count,
    opens,
    series: clicked.map((one, i) => ({ ...one, opens: opened[i]?.opens ?? 0 })),
    groups: Object.fromEntries(groups) as ShownFigures['groups'],
  };
};

const nameClicks = ([name, clicks]: readonly [string, number]): NamedClicks => ({ name, clicks });

export interface LinkFigures extends LinkId, Totals {
  readonly excluded: Readonly<Record<string, number>>;
  /** The last days, today included. */
  readonly range: ShownFigures;
}

export interface LastDays {
  /** From 1 to the buckets of `limits`; 30 unless given. */
  readonly days?: number | undefined;
  readonly now?: Date;
}

/** A project's last days, today included, and its links with the most clicks of them. */
export interface ProjectFigures {
  readonly project: string;
  readonly range: ShownFigures;
  readonly links: readonly NamedClicks[];
  /** A click counts under each tag of its link. */
  readonly tags: readonly NamedClicks[];
}

/** Throws OperatorError if there is no such project, and UsageError for too many days. */
export const projectFigures = async (
  deployment: Deployment,
  project: string,
  last: LastDays = {},
): Promise<ProjectFigures> => {
  const range = lastDays(last);
  await findProject(deployment, project);
  const figures = figuresOf(deployment, { project }, range, last.now);
  const [ranged, links, tags] = await Promise.all([
    shownFigures(figures),
    figures.busiestLinks(),
    figures.names('tags'),
  ]);
  return {
    project,
    range: ranged,
    links: links.map(({ code: name, clicks }) => ({ name, clicks })),
    tags: tags.map(nameClicks),
  };
};

const figuresOf = (
  { stores, figuresRetentionDays: retentionDays }: Deployment,
  owner: Owner,
  range: BucketRange | undefined,
  now = new Date(),
): Figures => rangeFigures(stores, owner, { range, now, retentionDays });

const lastDays = ({ days = 30, now = new Date() }: LastDays): BucketRange | undefined => {
  if (days > limits.buckets) throw new UsageError(`--days must be at most ${limits.buckets}`);
  const start = now.getTime() - (days - 1) * dayMs;
  return bucketRange({ interval: '30d', start, granularity: 'day', now: now.getTime() });
};

/**
 * A link's totals, excluded visits and last days, also of a deleted link. Throws OperatorError if the project has
 * never had such a link, and UsageError for too many days.
 */
export const linkFigures = async (
  deployment: Deployment,
  { project, code }: LinkId,
  last: LastDays = {},
): Promise<LinkFigures> => {
  const { stores } = deployment;
  const range = lastDays(last);
  await findProject(deployment, project);
  if (!(await stores.links.isTaken(project, code))) throw noLink({ project, code });
  const [{ figures, excluded }, ranged] = await Promise.all([
    stores.figures.find(project, code),
    shownFigures(figuresOf(deployment, { project, code }, range, last.now)),
  ]);
  return { project, code, ...figures, excluded, range: ranged };
};

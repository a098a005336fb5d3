import { type RangeFigures as Figures, rangeFigures } from '../../core/analytics/range-figures.ts';
import { dayMs } from '../../core/base/durations.ts';
import { limits } from '../../core/base/limits.ts';
import type { Figures as Totals } from '../../core/figures/figures.ts';
import { type SplitName, splitNames } from '../../core/figures/splits.ts';
import { type BucketRange, bucketRange } from '../../core/figures/time-range.ts';
import type { Owner } from '../../core/table/figure-keys.ts';
import type { LinkId } from '../../core/table/keys.ts';
import { UsageError } from '../base/operator-error.ts';
import { findProject } from '../projects/projects.ts';
import type { Target } from '../target/target.ts';
import { noLink } from './links.ts';

export interface NamedClicks {
  readonly name: string;
  readonly clicks: number;
}

/** The clicks of one name over time, in every bucket of the range. */
interface NamedSeries {
  readonly clicks: number;
  readonly series: readonly { readonly start: string; readonly clicks: number }[];
}

/** The figures of a time range. */
export interface RangeFigures {
  readonly count: { readonly clicks: number; readonly uniqueClicks: number };
  readonly opens: { readonly opens: number; readonly firstOpens: number };
  /** Every bucket of the range, oldest first; `start` in ISO 8601. */
  readonly series: readonly {
    readonly start: string;
    readonly clicks: number;
    readonly uniqueClicks: number;
    /** App opens. */
    readonly opens: number;
  }[];
  /** The highest first, then by name. */
  readonly groups: Readonly<Record<SplitName, readonly NamedClicks[]>>;
  /** If one name was asked for. */
  readonly only?: NamedSeries;
}

/** One name of a grouping, such as a country. */
interface GroupName {
  readonly group: SplitName;
  readonly name: string;
}

/** Figures of a link or a project, as commands and the console show them. Throws the API's failure for too many buckets. */
export const shownFigures = async (figures: Figures, only?: GroupName): Promise<RangeFigures> => {
  const [count, opens, clicked, opened, groups, named] = await Promise.all([
    figures.count('clicks'),
    figures.count('opens'),
    figures.timeseries('clicks'),
    figures.timeseries('opens'),
    Promise.all(splitNames.map(async (group) => [group, (await figures.names(group)).map(nameClicks)])),
    only && namedSeries(figures, only),
  ]);
  return {
    // Each event has figures of its own, which the compiler can't tell apart by the event's name.
    count: count as RangeFigures['count'],
    opens: opens as RangeFigures['opens'],
    series: clicked.map((one, i) => ({
      ...(one as Omit<RangeFigures['series'][number], 'opens'>),
      opens: (opened[i] as { readonly opens: number } | undefined)?.opens ?? 0,
    })),
    groups: Object.fromEntries(groups) as RangeFigures['groups'],
    ...(named && { only: named }),
  };
};

const nameClicks = ([name, clicks]: readonly [string, number]): NamedClicks => ({ name, clicks });

const namedSeries = async (figures: Figures, { group, name }: GroupName): Promise<NamedSeries> => {
  const series = await figures.timeseriesOfName(group, name);
  const all = await figures.names(group);
  return { clicks: all.find(([one]) => one === name)?.[1] ?? 0, series };
};

/** A link's totals, and its excluded visits by reason. */
export interface LinkFigures extends LinkId, Totals {
  readonly excluded: Readonly<Record<string, number>>;
  /** The last days, today included. */
  readonly range: RangeFigures;
}

export interface LastDays {
  /** From 1 to the buckets of `limits`; 30 unless given. */
  readonly days?: number | undefined;
  readonly now?: Date;
}

/** A project's last days, today included, and its links with the most clicks of them. */
export interface ProjectFigures {
  readonly project: string;
  readonly range: RangeFigures;
  readonly links: readonly NamedClicks[];
}

/** Throws OperatorError if there is no such project, and UsageError for too many days. */
export const projectFigures = async (
  target: Target,
  project: string,
  last: LastDays = {},
): Promise<ProjectFigures> => {
  const range = lastDays(last);
  await findProject(target, project);
  const figures = figuresOf(target, { project }, range, last.now);
  const [ranged, links] = await Promise.all([shownFigures(figures), figures.busiestLinks()]);
  return { project, range: ranged, links: links.map(({ code: name, clicks }) => ({ name, clicks })) };
};

/** Figures of a range, as the API shows them. */
export const figuresOf = (
  { stores, figuresRetentionDays: retentionDays }: Target,
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
 * A link's totals, excluded visits and last days; a deleted link has them, too. Throws OperatorError if the project has
 * never had such a link, and UsageError for too many days.
 */
export const linkFigures = async (
  target: Target,
  { project, code }: LinkId,
  last: LastDays = {},
): Promise<LinkFigures> => {
  const { stores } = target;
  const range = lastDays(last);
  await findProject(target, project);
  if (!(await stores.links.isTaken(project, code))) throw noLink(project, code);
  const [{ figures, excluded }, ranged] = await Promise.all([
    stores.figures.find(project, code),
    shownFigures(figuresOf(target, { project, code }, range, last.now)),
  ]);
  return { project, code, ...figures, excluded, range: ranged };
};

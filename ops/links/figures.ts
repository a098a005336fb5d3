import { dayMs } from '../../core/base/durations.ts';
import { limits } from '../../core/base/limits.ts';
import { countOf, rankedGroup, timeseriesOf } from '../../core/figures/analytics.ts';
import type { Figures } from '../../core/figures/figures.ts';
import type { SeriesFigures } from '../../core/figures/series-store.ts';
import { eachSplit, type SplitName } from '../../core/figures/splits.ts';
import {
  type BucketRange,
  bucketRange,
  bucketsOf,
  floorTo,
  type Granularity,
  type Span,
} from '../../core/figures/time-range.ts';
import type { AllStores } from '../../core/stores.ts';
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

interface Asked {
  readonly range: BucketRange | undefined;
  readonly only?: GroupName | undefined;
}

/** Figures of a link or a project. Without a range, nothing was counted. */
export const rangeFigures = async (
  { series: stored }: Pick<AllStores, 'series'>,
  owner: Owner,
  { range, only }: Asked,
): Promise<RangeFigures> => {
  const buckets = (range && bucketsOf(range, limits.buckets)) ?? [];
  const granularity = range?.granularity ?? 'day';
  const items = range ? await stored.find(owner, [wholeSpan(range)]) : [];
  const over = (event: 'clicks' | 'opens') => timeseriesOf(event, buckets, { granularity, series: items });
  const opened = over('opens') as { readonly opens: number }[];
  return {
    count: countOf('clicks', items) as RangeFigures['count'],
    opens: countOf('opens', items) as RangeFigures['opens'],
    series: over('clicks').map((clicked, i) => ({
      ...(clicked as Omit<RangeFigures['series'][number], 'opens'>),
      opens: opened[i]?.opens ?? 0,
    })),
    groups: groupsOf(items),
    ...(only && { only: namedSeries(items, buckets, { granularity, ...only }) }),
  };
};

/** Visitors are not known by name, so these are clicks alone. */
const namedSeries = (
  items: readonly SeriesFigures[],
  buckets: readonly number[],
  { granularity, group, name }: GroupName & { readonly granularity: Granularity },
): NamedSeries => {
  const clicksIn = (some: readonly SeriesFigures[]) =>
    rankedGroup(group, some).find(([one]) => one === name)?.[1] ?? 0;
  const counted = Map.groupBy(items, ({ start }) => floorTo(granularity, start));
  return {
    clicks: clicksIn(items),
    series: buckets.map((start) => ({
      start: new Date(start).toISOString(),
      clicks: clicksIn(counted.get(start) ?? []),
    })),
  };
};

/** All of a range from items of one kind. */
const wholeSpan = ({ granularity, start, end }: BucketRange, day: 'day' | 'dayByLink' = 'day'): Span => ({
  unit: granularity === 'hour' ? 'hour' : day,
  start,
  end,
});

const groupsOf = (items: readonly SeriesFigures[]): RangeFigures['groups'] =>
  eachSplit((_, group) => rankedGroup(group, items).map(([name, clicks]) => ({ name, clicks })));

/** A link's totals, and its excluded visits by reason. */
export interface LinkFigures extends LinkId, Figures {
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
  const [ranged, links] = await Promise.all([
    rangeFigures(target.stores, { project }, { range }),
    busiestLinks(target.stores, project, range),
  ]);
  return { project, range: ranged, links };
};

/** The busiest links, as `GET /analytics` has them. Deleted links have figures, but nothing to show. */
export const busiestLinks = async (
  { links, series: stored }: Pick<AllStores, 'links' | 'series'>,
  project: string,
  range: BucketRange | undefined,
): Promise<NamedClicks[]> => {
  const series = range ? await stored.find({ project }, [wholeSpan(range, 'dayByLink')]) : [];
  const { candidates, shown } = limits.busiestLinks;
  const counts = rankedGroup('links', series).slice(0, candidates);
  const live = await links.existing(
    project,
    counts.map(([code]) => code),
  );
  return counts
    .filter(([code]) => live.has(code))
    .slice(0, shown)
    .map(([name, clicks]) => ({ name, clicks }));
};

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
    rangeFigures(stores, { project, code }, { range }),
  ]);
  return { project, code, ...figures, excluded, range: ranged };
};

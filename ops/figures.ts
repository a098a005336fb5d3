import {
  countOf,
  groupLabels,
  type LabelledGroup,
  rankedGroup,
  timeseriesOf,
} from '../core/clicks/analytics.ts';
import type { Owner } from '../core/clicks/figures.ts';
import type { SeriesFigures } from '../core/clicks/series-store.ts';
import { type BucketRange, bucketRange, bucketsOf, type Span } from '../core/clicks/time-range.ts';
import { limits } from '../core/limits.ts';
import type { Figures } from '../core/links/link.ts';
import type { AllStores } from '../core/stores.ts';
import { noLink } from './links.ts';
import { OperatorError } from './operator-error.ts';
import { findProject } from './projects.ts';
import type { Target } from './target.ts';

export interface NamedClicks {
  readonly name: string;
  readonly clicks: number;
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
  }[];
  /** The highest first, then by name. */
  readonly groups: Readonly<Record<LabelledGroup, readonly NamedClicks[]>>;
}

/** Figures of a link or a project. Without a range, nothing was counted. */
export const rangeFigures = async (
  { series: stored }: Pick<AllStores, 'series'>,
  owner: Owner,
  range: BucketRange | undefined,
): Promise<RangeFigures> => {
  const buckets = (range && bucketsOf(range, limits.buckets)) ?? [];
  const granularity = range?.granularity ?? 'day';
  const items = range ? await stored.find(owner, [wholeSpan(range)]) : [];
  return {
    count: countOf('clicks', items) as RangeFigures['count'],
    opens: countOf('opens', items) as RangeFigures['opens'],
    series: timeseriesOf('clicks', buckets, { granularity, series: items }) as RangeFigures['series'],
    groups: groupsOf(items),
  };
};

/** All of a range from items of one kind. */
export const wholeSpan = ({ granularity, start, end }: BucketRange): Span => ({
  unit: granularity === 'hour' ? 'hour' : 'day',
  start,
  end,
});

const groupsOf = (items: readonly SeriesFigures[]) =>
  Object.fromEntries(
    Object.keys(groupLabels).map((group) => [
      group,
      rankedGroup(group as LabelledGroup, items).map(([name, clicks]) => ({ name, clicks })),
    ]),
  ) as unknown as RangeFigures['groups'];

/** A link's totals, and its excluded visits by reason. */
export interface LinkFigures extends Figures {
  readonly project: string;
  readonly code: string;
  readonly excluded: Readonly<Record<string, number>>;
  /** The last days, today included. */
  readonly range: RangeFigures;
}

export interface LastDays {
  /** From 1 to the buckets of `limits`; 30 unless given. */
  readonly days?: number | undefined;
  readonly now?: Date;
}

const dayMs = 86_400_000;

/**
 * Deleted links have figures, too. Throws OperatorError if the project has never had such a link, and for too many
 * days.
 */
export const linkFigures = async (
  target: Target,
  { project, code }: { readonly project: string; readonly code: string },
  { days = 30, now = new Date() }: LastDays = {},
): Promise<LinkFigures> => {
  const { stores } = target;
  if (days > limits.buckets) throw new OperatorError(`--days must be at most ${limits.buckets}`);
  await findProject(target, project);
  if (!(await stores.links.code(project, code))) throw noLink(project, code);
  const start = now.getTime() - (days - 1) * dayMs;
  const range = bucketRange({ interval: '30d', start, granularity: 'day', now: now.getTime() });
  const [{ figures, excluded }, ranged] = await Promise.all([
    stores.figures.find(project, code),
    rangeFigures(stores, { project, code }, range),
  ]);
  return { project, code, ...figures, excluded, range: ranged };
};

import * as z from 'zod';
import { countOf, ranked, rankedGroup, timeseriesOf } from '../../../core/clicks/analytics.ts';
import type { SeriesFigures } from '../../../core/clicks/series-store.ts';
import { bucketRange, bucketsOf, type Granularity, intervals } from '../../../core/clicks/time-range.ts';
import { limits } from '../../../core/limits.ts';
import type { AllStores } from '../../../core/stores.ts';
import { findProject } from '../../projects.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

interface Ranked {
  readonly name: string;
  readonly clicks: number;
}

const groupNames = ['platforms', 'countries', 'referrers', 'browsers', 'os', 'triggers'] as const;

/** The figures of a link or a project in a range of time. */
export interface ShownFigures {
  readonly granularity: Granularity;
  readonly count: { readonly clicks: number; readonly uniqueClicks: number };
  readonly opens: { readonly opens: number; readonly firstOpens: number };
  readonly series: readonly {
    readonly start: string;
    readonly clicks: number;
    readonly uniqueClicks: number;
  }[];
  readonly groups: Readonly<Record<(typeof groupNames)[number], readonly Ranked[]>>;
  /** Of a project: its busiest links. */
  readonly links?: readonly Ranked[];
  /** Of a link: visits of its whole life that are no clicks. */
  readonly excluded?: readonly { readonly name: string; readonly visits: number }[];
}

export const figureCalls = {
  /** Everything that `GET /analytics` knows of a range, in one answer. */
  figures: call(
    z.object({ project, code: z.string().optional(), interval: z.enum(intervals) }),
    async ({ project, code, interval }, { target: { stores }, target, now }): Promise<ShownFigures> => {
      await findProject(target, project);
      const link = code === undefined ? undefined : await stores.links.get(project, code);
      const beganAt = link?.link.createdAt ?? (await stores.links.firstAt(project));
      const beginning = beganAt === undefined ? undefined : Date.parse(beganAt);
      const range = bucketRange({ interval, now: now.getTime(), beginning });
      const buckets = (range && bucketsOf(range, limits.buckets)) ?? [];
      const granularity = range?.granularity ?? 'day';
      const unit = granularity === 'hour' ? 'hour' : 'day';
      const series = range ? await stores.series.find({ project, code }, [{ ...range, unit }]) : [];
      const isWhole = interval === 'all' && link !== undefined;
      return {
        granularity,
        count: isWhole
          ? { clicks: link.figures.clicks, uniqueClicks: link.figures.uniques }
          : (countOf('clicks', series) as ShownFigures['count']),
        opens: countOf('opens', series) as ShownFigures['opens'],
        series: timeseriesOf('clicks', buckets, { granularity, series }) as ShownFigures['series'],
        groups: groupsOf(series),
        ...(code === undefined
          ? { links: await busiest(stores, project, series) }
          : { excluded: await excludedOf(stores, project, code) }),
      };
    },
  ),
};

const groupsOf = (series: readonly SeriesFigures[]) =>
  Object.fromEntries(
    groupNames.map((group) => [
      group,
      rankedGroup(group, series).map(([name, clicks]) => ({ name, clicks })),
    ]),
  ) as unknown as ShownFigures['groups'];

const linksShown = 100;

/** Deleted links have figures, but no view. */
const busiest = async (
  { links }: AllStores,
  project: string,
  series: readonly SeriesFigures[],
): Promise<Ranked[]> => {
  const counts = rankedGroup('links', series).slice(0, 2 * linksShown);
  const live = await links.live(
    project,
    counts.map(([code]) => code),
  );
  return counts
    .filter(([code]) => live.has(code))
    .slice(0, linksShown)
    .map(([name, clicks]) => ({ name, clicks }));
};

const excludedOf = async ({ figures }: AllStores, project: string, code: string) => {
  const { excluded } = await figures.find(project, code);
  return ranked(Object.entries(excluded)).map(([name, visits]) => ({ name, visits }));
};

import * as z from 'zod';
import { ranked, rankedGroup } from '../../../core/clicks/analytics.ts';
import {
  type BucketRange,
  bucketRange,
  byLink,
  type Granularity,
  intervals,
} from '../../../core/clicks/time-range.ts';
import type { AllStores } from '../../../core/stores.ts';
import { type NamedClicks, type RangeFigures, rangeFigures, wholeSpan } from '../../figures.ts';
import { findProject } from '../../projects.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

/** The figures of a link or a project in a range of time. */
export interface ShownFigures extends RangeFigures {
  readonly granularity: Granularity;
  /** Of a project: its busiest links. */
  readonly links?: readonly NamedClicks[];
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
      const figures = await rangeFigures(stores, { project, code }, range);
      const isWhole = interval === 'all' && link !== undefined;
      return {
        granularity: range?.granularity ?? 'day',
        ...figures,
        // Kept for ever, even where the days are not.
        ...(isWhole && { count: { clicks: link.figures.clicks, uniqueClicks: link.figures.uniques } }),
        ...(code === undefined
          ? { links: await busiest(stores, project, range) }
          : { excluded: await excludedOf(stores, project, code) }),
      };
    },
  ),
};

const linksShown = 100;

/** Deleted links have figures, but no view. */
const busiest = async (
  { links, series: stored }: AllStores,
  project: string,
  range: BucketRange | undefined,
): Promise<NamedClicks[]> => {
  const series = range ? await stored.find({ project }, byLink([wholeSpan(range)])) : [];
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

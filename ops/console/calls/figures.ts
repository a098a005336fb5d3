import * as z from 'zod';
import { dayMs } from '../../../core/base/durations.ts';
import { limits } from '../../../core/base/limits.ts';
import { ranked } from '../../../core/figures/analytics.ts';
import { splitNames } from '../../../core/figures/splits.ts';
import {
  type BucketRange,
  bucketRange,
  bucketsOf,
  type Granularity,
  intervals,
  rangeBefore,
} from '../../../core/figures/time-range.ts';
import { linkCode } from '../../../core/links/stored-link-schema.ts';
import type { AllStores } from '../../../core/stores.ts';
import { busiestLinks, type NamedClicks, type RangeFigures, rangeFigures } from '../../links/figures.ts';
import { findProject } from '../../projects/projects.ts';
import { call } from '../call.ts';
import { project } from './projects.ts';

/** The figures of a link or a project in a range of time. */
export interface ShownFigures extends RangeFigures {
  readonly granularity: Granularity;
  /** The same of as many days or hours before, if they are asked for. */
  readonly before?: RangeFigures;
  /** Of a project: its busiest links. */
  readonly links?: readonly NamedClicks[];
  /** Of a link: visits of its whole life that are no clicks. */
  readonly excluded?: readonly { readonly name: string; readonly visits: number }[];
}

const day = z.iso.date();

const asked = z.object({
  project,
  code: linkCode.optional(),
  interval: z.enum(intervals),
  /** Days in UTC, the last one included; they win over the interval. */
  days: z
    .object({ from: day, to: day })
    .refine(({ from, to }) => from <= to, 'must not end before they begin')
    .optional(),
  /** One name of a grouping, whose clicks are counted over time. */
  only: z.object({ group: z.enum(splitNames), name: z.string() }).optional(),
  compare: z.boolean().default(false),
});

export const figureCalls = {
  /** Everything that `GET /analytics` knows of a range, in one response. */
  figures: call(asked, async (input, { target: { stores }, target, now }): Promise<ShownFigures> => {
    const { project, code, interval, days, only } = input;
    await findProject(target, project);
    const link = code === undefined ? undefined : await stores.links.get(project, code);
    const beganAt = link?.link.createdAt ?? (await stores.links.firstAt(project));
    const beginning = beganAt === undefined ? undefined : Date.parse(beganAt);
    const range = bucketRange({ interval, ...timesOf(days), now: now.getTime(), beginning });
    const owner = { project, code };
    const [figures, before] = await Promise.all([
      rangeFigures(stores, owner, { range, only }),
      range && input.compare ? rangeFigures(stores, owner, { range: justBefore(range), only }) : undefined,
    ]);
    const isWhole = interval === 'all' && days === undefined && link !== undefined;
    return {
      granularity: range?.granularity ?? 'day',
      ...figures,
      // Kept for ever, even where the days are not.
      ...(isWhole && { count: { clicks: link.figures.clicks, uniqueClicks: link.figures.uniques } }),
      ...(before && { before }),
      ...(code === undefined
        ? { links: await busiestLinks(stores, project, range) }
        : { excluded: await excludedOf(stores, project, code) }),
    };
  }),
};

const timesOf = (days: { from: string; to: string } | undefined) =>
  days && { start: Date.parse(days.from), end: Date.parse(days.to) + dayMs };

const justBefore = (range: BucketRange): BucketRange =>
  rangeBefore(range, bucketsOf(range, limits.buckets)?.length ?? 0);

const excludedOf = async ({ figures }: AllStores, project: string, code: string) => {
  const { excluded } = await figures.find(project, code);
  return ranked(Object.entries(excluded)).map(([name, visits]) => ({ name, visits }));
};

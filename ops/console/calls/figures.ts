import * as z from 'zod';
import { excludedVisits } from '../../../core/analytics/analytics.ts';
import { dayMs } from '../../../core/base/durations.ts';
import { limits } from '../../../core/base/limits.ts';
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
import { figuresOf, type NamedClicks, type RangeFigures, shownFigures } from '../../links/figures.ts';
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
    const figures = figuresOf(target, owner, range, now);
    const [shown, before] = await Promise.all([
      shownFigures(figures, only),
      range && input.compare
        ? shownFigures(figuresOf(target, owner, justBefore(range), now), only)
        : undefined,
    ]);
    const isWhole = interval === 'all' && days === undefined && link !== undefined;
    return {
      granularity: range?.granularity ?? 'day',
      ...shown,
      // Kept for ever, even where the days are not.
      ...(isWhole && { count: { clicks: link.figures.clicks, uniqueClicks: link.figures.uniques } }),
      ...(before && { before }),
      ...(code === undefined
        ? { links: (await figures.busiestLinks()).map(({ code: name, clicks }) => ({ name, clicks })) }
        : { excluded: (await excludedVisits(stores, project, code)).map(withName) }),
    };
  }),
};

const timesOf = (days: { from: string; to: string } | undefined) =>
  days && { start: Date.parse(days.from), end: Date.parse(days.to) + dayMs };

const justBefore = (range: BucketRange): BucketRange =>
  rangeBefore(range, bucketsOf(range, limits.buckets)?.length ?? 0);

const withName = ({ reason: name, visits }: { readonly reason: string; readonly visits: number }) => ({
  name,
  visits,
});

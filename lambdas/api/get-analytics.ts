import { getAnalytics } from '../../core/api/analytics.ts';
import type { Input, Result } from '../../core/api/endpoint.ts';
import { dayMs } from '../../core/base/durations.ts';
import { refuseFaults } from '../../core/base/failure.ts';
import { limits } from '../../core/base/limits.ts';
import { fault, linkNotFound } from '../../core/base/messages.ts';
import { readTime } from '../../core/base/time.ts';
import { countOf, ranked, rankedGroup, timeseriesOf } from '../../core/figures/analytics.ts';
import { figureStore } from '../../core/figures/figure-store.ts';
import { seriesStore } from '../../core/figures/series-store.ts';
import { type SplitName, splits } from '../../core/figures/splits.ts';
import {
  type BucketRange,
  bucketRange,
  bucketsOf,
  keptPart,
  type Span,
  spansOf,
} from '../../core/figures/time-range.ts';
import type { LinkWithFigures } from '../../core/links/link-reads.ts';
import { linkStore } from '../../core/links/link-store.ts';
import { linkCode } from '../../core/links/stored-link-schema.ts';
import type { Granted } from '../../core/stores.ts';
import { serve } from '../serve.ts';

type Asked = Input<typeof getAnalytics>;
type Answer = Result<typeof getAnalytics>;
type Stores = Granted<(typeof getAnalytics)['uses'][number]>;

export const handler = serve(
  getAnalytics,
  { figures: (table) => figureStore(table), links: linkStore, series: seriesStore },
  async (asked, stores): Promise<Answer> => {
    if (asked.query.groupBy === 'excluded') return excluded(asked, stores);
    // Beside each other, although an unknown link makes the figures useless.
    const link = linkOf(asked, stores);
    const answer = isTotals(asked) ? totals(link) : inRange(asked, stores, link);
    // The link's failure goes before one of the range.
    await Promise.allSettled([link, answer]);
    await link;
    return answer;
  },
);

/** Of a link's whole life. Its days may be gone, its totals never. */
const isTotals = ({ query: { code, groupBy, event, interval, start, end } }: Asked): boolean =>
  code !== undefined &&
  [groupBy, event, interval].join() === 'count,clicks,all' &&
  start === undefined &&
  end === undefined;

type MaybeLink = Promise<LinkWithFigures | undefined>;

const totals = async (link: MaybeLink): Promise<Answer> => {
  const { clicks = 0, uniques = 0 } = (await link)?.figures ?? {};
  return { clicks, uniqueClicks: uniques };
};

const inRange = async (asked: Asked, stores: Stores, link: MaybeLink): Promise<Answer> => {
  const { query, caller } = asked;
  const range = await rangeOf(asked, stores, link);
  const owner = { project: caller.project, code: query.code };
  const find = (spans: Span[]) =>
    stores.series.find(owner, keptPart(spans, asked.now.getTime(), asked.figuresRetentionDays), asked.now);
  if (query.groupBy === 'timeseries') return timeseries(asked, range, find);
  const ofLinks = query.groupBy === 'links';
  const series = await find(range ? spansOf(range, ofLinks ? 'dayByLink' : 'day') : []);
  if (ofLinks) return busiest(caller.project, rankedGroup('links', series), stores);
  if (query.groupBy === 'count') return countOf(query.event, series);
  const group = query.groupBy as SplitName;
  return rankedGroup(group, series).map(([name, clicks]) => ({
    [splits[group].field]: name,
    clicks,
  })) as Answer;
};

/** Throws LINK_NOT_FOUND, also for what can be no code. */
const linkOf = async ({ query, caller }: Asked, { links }: Stores): Promise<LinkWithFigures | undefined> => {
  if (query.code === undefined) return undefined;
  if (!linkCode.safeParse(query.code).success) throw linkNotFound();
  return links.get(caller.project, query.code);
};

const excluded = async (asked: Asked, stores: Stores): Promise<Answer> => {
  const [, { excluded: reasons }] = await Promise.all([
    linkOf(asked, stores),
    stores.figures.find(asked.caller.project, asked.query.code ?? ''),
  ]);
  return ranked(Object.entries(reasons)).map(([reason, visits]) => ({ reason, visits }));
};

/** Nothing if there is nothing yet. Throws INVALID_PARAMETERS for a start that is not before the end. */
const rangeOf = async (
  { query, caller, now }: Asked,
  { links }: Stores,
  link: MaybeLink,
): Promise<BucketRange | undefined> => {
  const { interval = '30d', granularity } = query;
  const [start, end] = [momentOf(query.start), momentOf(query.end, true)];
  const isFromBeginning = interval === 'all' && start === undefined;
  const beganAt = isFromBeginning
    ? ((await link)?.link.createdAt ?? (await links.firstAt(caller.project)))
    : undefined;
  const beginning = beganAt === undefined ? undefined : Date.parse(beganAt);
  const range = bucketRange({ interval, start, end, granularity, now: now.getTime(), beginning });
  if (!range && !isFromBeginning) refuseFaults([fault('start', 'emptyRange')], 'INVALID_PARAMETERS');
  return range;
};

/** In epoch milliseconds; for a date alone its start, or its end if it is included. */
const momentOf = (text: string | undefined, includesDay = false): number | undefined => {
  if (text === undefined) return undefined;
  const reading = readTime(text);
  if ('fault' in reading) throw new Error('A time was not checked');
  return Date.parse(reading.time) + (includesDay && !text.includes('T') ? dayMs : 0);
};

const timeseries = async (
  { query: { event } }: Asked,
  range: BucketRange | undefined,
  find: (spans: Span[]) => ReturnType<Stores['series']['find']>,
): Promise<Answer> => {
  if (!range) return [];
  const buckets = bucketsOf(range, limits.buckets);
  const tooMany = buckets ? [] : [fault('granularity', 'tooManyBuckets', { limit: limits.buckets })];
  refuseFaults(tooMany, 'INVALID_PARAMETERS');
  const { granularity, start, end } = range;
  const series = await find([{ unit: granularity === 'hour' ? 'hour' : 'day', start, end }]);
  return timeseriesOf(event, buckets ?? [], { granularity, series }) as Answer;
};

/** The busiest links that are not deleted. A range can name a hundred thousand links; only some are looked up. */
const busiest = async (
  project: string,
  counts: readonly (readonly [code: string, clicks: number])[],
  { links }: Stores,
): Promise<Answer> => {
  const { candidates, shown } = limits.busiestLinks;
  const busy = counts.filter(([code]) => linkCode.safeParse(code).success).slice(0, candidates);
  const live = await links.existing(
    project,
    busy.map(([code]) => code),
  );
  const found = busy.filter(([code]) => live.has(code)).map(([code, clicks]) => ({ code, clicks }));
  return found.slice(0, shown);
};

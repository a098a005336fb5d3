import type { analyticsStore } from '../analytics/analytics-store.ts';
import { type DimensionName, dimensionNames, dimensions } from '../analytics/dimensions.ts';
import { type BucketRange, bucketRange, type Granularity, type Interval } from '../analytics/time-range.ts';
import { dayMs } from '../base/durations.ts';
import { linkNotFound, refuseFaults } from '../base/failure.ts';
import { fault } from '../base/messages.ts';
import { readTime } from '../base/time.ts';
import type { LinkWithAnalytics } from '../links/link-reads.ts';
import type { linkStore } from '../links/link-store.ts';
import { linkCode } from '../links/stored-link-schema.ts';
import { type CountedKind, type EventCounts, ranked } from './groupings.ts';
import {
  type AnalyticsFilter,
  type AnalyticsReads,
  type RangeAnalytics,
  rangeAnalytics,
} from './range-analytics.ts';

/** The values of `groupBy`. */
export const groupings = [
  'count',
  'timeseries',
  ...dimensionNames,
  'tags',
  'links',
  'excluded',
  'filtered',
] as const;
export type Grouping = (typeof groupings)[number];

/** The query of `GET /analytics`. */
export interface AnalyticsQuery<Event extends CountedKind = CountedKind> {
  /** Without a code, the analytics are those of the project. */
  readonly code?: string | undefined;
  readonly event: Event;
  readonly interval?: Interval | undefined;
  /** ISO 8601; takes precedence over the interval. */
  readonly start?: string | undefined;
  /** ISO 8601, exclusive; a date alone includes that day. */
  readonly end?: string | undefined;
  readonly granularity?: Granularity | undefined;
  /** Such as `country:DE`; required by the grouping `filtered`. */
  readonly filter?: string | undefined;
}

/** A filter by the name of its grouping, from a field and a value such as `country:DE`. */
export const filterOf = (text: string): AnalyticsFilter => {
  const field = text.replace(/:.*/s, '');
  const group = dimensionNames.find((name) => dimensions[name].field === field) ?? 'tags';
  return { group, name: text.slice(field.length + 1) };
};

/** Types of `data` by grouping. */
export type GroupedAnalytics<Event extends CountedKind> = {
  readonly count: EventCounts[Event];
  readonly timeseries: ({ readonly start: string } & EventCounts[Event])[];
  readonly filtered: { readonly start: string; readonly clicks: number }[];
  readonly tags: { readonly tag: string; readonly clicks: number }[];
  readonly links: Awaited<ReturnType<RangeAnalytics['busiestLinks']>>;
  readonly excluded: { readonly reason: string; readonly visits: number }[];
} & {
  readonly [Name in DimensionName]: ({ readonly clicks: number } & Readonly<
    Record<string, string | number>
  >)[];
};

export interface AnalyticsQueryStores extends AnalyticsReads {
  readonly analytics: Pick<ReturnType<typeof analyticsStore>, 'find'>;
  readonly links: Pick<ReturnType<typeof linkStore>, 'get' | 'existing' | 'firstAt'>;
}

interface Context {
  readonly project: string;
  readonly now: Date;
  /** Days for which analytics over time are shown; all of them if undefined. */
  readonly figuresRetentionDays: number | undefined;
}

/**
 * Analytics of a project or one of its links, as in `GET /analytics`: `data` of each grouping by name. Shared data is
 * read once. Rejects with LINK_NOT_FOUND, including for malformed codes, and with INVALID_PARAMETERS for an empty range
 * or too many buckets.
 */
export const queryAnalytics = async <Name extends Grouping, Event extends CountedKind>(
  stores: AnalyticsQueryStores,
  asked: readonly Name[],
  query: AnalyticsQuery<Event>,
  context: Context,
): Promise<Pick<GroupedAnalytics<Event>, Name>> => {
  const { project, now, figuresRetentionDays: retentionDays } = context;
  const { code, event } = query;
  const link = linkOf(stores, project, code);
  let opened: Promise<RangeAnalytics> | undefined;
  const analytics = () => {
    opened ??= rangeOf(stores, query, context, link).then((range) =>
      rangeAnalytics(stores, { project, code }, { range, now, retentionDays }),
    );
    return opened;
  };
  const answers: {
    readonly [Group in Exclude<Grouping, DimensionName>]: () => Promise<GroupedAnalytics<Event>[Group]>;
  } = {
    count: async () =>
      // Only clicks have lifetime totals, which the compiler can't infer.
      isLifetime(query) ? (totalsOf(await link) as EventCounts[Event]) : (await analytics()).count(event),
    timeseries: async () => (await analytics()).timeseries(event),
    filtered: async () => (query.filter ? (await analytics()).timeseriesOfName(filterOf(query.filter)) : []),
    tags: async () => (await (await analytics()).names('tags')).map(([tag, clicks]) => ({ tag, clicks })),
    links: async () => (await analytics()).busiestLinks(),
    excluded: () => excludedVisits(stores, project, code ?? ''),
  };
  const named = async (dimension: DimensionName) =>
    (await (await analytics()).names(dimension)).map(([name, clicks]) => ({
      [dimensions[dimension].field]: name,
      clicks,
    }));
  // The link is read in parallel to its analytics, although they are useless if it doesn't exist.
  const reading = Promise.all(
    asked.map(async (name) => [name, await (isOther(name) ? answers[name]() : named(name as DimensionName))]),
  );
  // A failure of the link takes precedence over one of the range.
  await Promise.allSettled([link, reading]);
  await link;
  // The requested names, a type that the compiler can't infer from entries.
  return Object.fromEntries(await reading) as Pick<GroupedAnalytics<Event>, Name>;
};

type OtherGrouping = Exclude<Grouping, DimensionName>;

const isOther = (name: Grouping): name is OtherGrouping => !(name in dimensions);

/** Whether a query covers a link's whole life, for which totals are exact even if days have expired. */
const isLifetime = ({ code, event, interval, start, end }: AnalyticsQuery): boolean =>
  code !== undefined && event === 'clicks' && interval === 'all' && start === undefined && end === undefined;

const totalsOf = (link: LinkWithAnalytics | undefined): EventCounts['clicks'] => {
  const { clicks = 0, uniques = 0 } = link?.analytics ?? {};
  return { clicks, uniqueClicks: uniques };
};

/** Excluded visits of a link's whole life, by descending number. */
const excludedVisits = async (
  { analytics }: Pick<AnalyticsQueryStores, 'analytics'>,
  project: string,
  code: string,
) => {
  const { excluded } = await analytics.find(project, code);
  return ranked(Object.entries(excluded)).map(([reason, visits]) => ({ reason, visits }));
};

const linkOf = async ({ links }: AnalyticsQueryStores, project: string, code: string | undefined) => {
  if (code === undefined) return undefined;
  if (!linkCode.safeParse(code).success) throw linkNotFound();
  return links.get(project, code);
};

/** A query's range; undefined if nothing was ever counted. Throws INVALID_PARAMETERS if the start isn't before the end. */
export const rangeOf = async (
  { links }: Pick<AnalyticsQueryStores, 'links'>,
  query: Omit<AnalyticsQuery, 'event'>,
  { project, now }: Pick<Context, 'project' | 'now'>,
  link: Promise<LinkWithAnalytics | undefined> | undefined = query.code === undefined
    ? undefined
    : links.get(project, query.code),
): Promise<BucketRange | undefined> => {
  const { interval = '30d', granularity } = query;
  const [start, end] = [momentOf(query.start), momentOf(query.end, true)];
  const isFromBeginning = interval === 'all' && start === undefined;
  const beganAt = isFromBeginning
    ? ((await link)?.link.createdAt ?? (await links.firstAt(project)))
    : undefined;
  const beginning = beganAt === undefined ? undefined : Date.parse(beganAt);
  const range = bucketRange({ interval, start, end, granularity, now: now.getTime(), beginning });
  if (!range && !isFromBeginning) refuseFaults([fault('start', 'emptyRange')], 'INVALID_PARAMETERS');
  return range;
};

/** A time in epoch milliseconds. A date without a time means its start, or its end with `includesDay`. */
const momentOf = (text: string | undefined, includesDay = false): number | undefined => {
  if (text === undefined) return undefined;
  const reading = readTime(text);
  if ('fault' in reading) throw new Error('A time was not checked');
  return Date.parse(reading.time) + (includesDay && !text.includes('T') ? dayMs : 0);
};

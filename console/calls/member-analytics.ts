import type { DynamicLinks } from '../../client/dynamic-links.ts';
import { dimensionNames, dimensions } from '../../core/analytics/dimensions.ts';
import { bucketRange, bucketsOf, rangeBefore } from '../../core/analytics/time-range.ts';
import { dayMs } from '../../core/base/durations.ts';
import { limits } from '../../core/base/limits.ts';
import type { CallInput, CallOutput } from './client.ts';

const series = ['count', 'timeseries'] as const;

/** Each range costs two API calls, and so does the range before it. */
export const memberAnalytics = async (
  client: DynamicLinks,
  input: CallInput<'analytics'>,
): Promise<CallOutput<'analytics'>> => {
  const { code, interval, start, end, compare, only } = input;
  const range = { interval: start ? undefined : interval, start, end };
  const others = code === undefined ? (['links', 'tags'] as const) : (['excluded'] as const);
  const known = dimensionNames.filter((name) => code !== undefined || !dimensions[name].ofLinks);
  const filter = only && `${only.group === 'tags' ? 'tag' : dimensions[only.group].field}:${only.name}`;
  const filtered = filter === undefined ? [] : (['filtered'] as const);
  const earlier = compare ? rangeBeforeOf(input, Date.now()) : undefined;
  const opensIn = (some: typeof range | Earlier) =>
    client.analytics({ code, ...some, event: 'opens', groupBy: series });
  const [clicks, opens, clicksBefore, opensBefore] = await Promise.all([
    client.analytics({ code, ...range, groupBy: [...series, ...known, ...others, ...filtered], filter }),
    opensIn(range),
    earlier && client.analytics({ code, ...earlier, groupBy: [...series, ...filtered], filter }),
    earlier && opensIn(earlier),
  ]);
  const before = clicksBefore &&
    opensBefore && { clicks: clicksBefore, opens: opensBefore, ...onlyOf(clicksBefore) };
  return { clicks, opens, ...onlyOf(clicks), ...(before && { before }) };
};

/** The clicks of the filter, if the answer has them. */
const onlyOf = (answer: object) =>
  'filtered' in answer && { only: answer.filtered as { start: string; clicks: number }[] };

type Earlier = Readonly<Record<'start' | 'end', string>> & { readonly granularity: 'hour' | 'day' | 'month' };

/** The API's range for the period before; undefined for all time. */
export const rangeBeforeOf = (
  { interval = '30d', start, end }: CallInput<'analytics'>,
  now: number,
): Earlier | undefined => {
  if (!start && interval === 'all') return undefined;
  const range = bucketRange({
    interval,
    now,
    ...(start && { start: Date.parse(start) }),
    // Chosen days include the last one.
    ...(start && end && { end: Date.parse(end) + dayMs }),
  });
  if (!range) return undefined;
  const before = rangeBefore(range, bucketsOf(range, limits.buckets)?.length ?? 0);
  return {
    start: new Date(before.start).toISOString(),
    end: new Date(before.end).toISOString(),
    granularity: before.granularity,
  };
};

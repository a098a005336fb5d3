import fc from 'fast-check';
import {
  type AlarmProperties,
  computedAt,
  type Metric,
  redMinutes,
  type World,
} from '../../support/metric-math.ts';
import { synthesizedStack, watchedContext as watched } from '../../support/template.ts';

const alarms = ['', 'EdgeAlarms'].flatMap((kind) =>
  Object.entries(synthesizedStack(watched, kind).findResources('AWS::CloudWatch::Alarm')).map(
    ([id, { Properties }]): [string, AlarmProperties & { AlarmDescription: string }] => [
      id.replace(/^Monitoring/, '').replace(/[0-9A-F]{8}$/, ''),
      Properties,
    ],
  ),
);

/** Each alarm by its name, with its severity, as runbooks sort them. */
const named = (name: string) => alarms.find(([id]) => id === name)?.[1] as AlarmProperties;

type Minutes = number | ((minute: number) => number | undefined);

/** Metrics by name, or by name and the function's id behind a blank; all others have no data. */
type Night = Readonly<Record<string, Minutes>>;

const minutesOfNight = 8 * 60;

const worldOf = (night: Night, minutes: number): World => {
  const made = new Map<string, (number | undefined)[]>();
  const known = new Map<Metric, readonly (number | undefined)[]>();
  const find = ({ MetricName, Dimensions = [] }: Metric) => {
    const [, of] =
      /"(?:Ref|Fn::GetAtt)":\[?"(\w+?)(?:Function|Distribution)/.exec(JSON.stringify(Dimensions)) ?? [];
    const name =
      [`${MetricName} ${of}`, MetricName.replace(/-DynamicLinks.*/, '')].find((one) => one in night) ?? '';
    const value = night[name];
    const series =
      made.get(name) ??
      Array.from({ length: minutes }, (_, minute) => (typeof value === 'function' ? value(minute) : value));
    made.set(name, series);
    return series;
  };
  return (metric) => {
    const series = known.get(metric) ?? find(metric);
    known.set(metric, series);
    return series;
  };
};

/** The alarms that go off in a night, with their severity. */
const wakes = (night: Night): string[] =>
  alarms
    .filter(
      ([id, alarm]) =>
        !id.endsWith('Release') &&
        redMinutes(alarm, worldOf(night, minutesOfNight), minutesOfNight).length > 0,
    )
    .map(([id, { AlarmDescription }]) => `${AlarmDescription.split(' ')[0]} ${id}`)
    .sort();

/** A minute of each of so many. */
const each = (minutes: number, value: number) => (minute: number) =>
  minute % minutes === 0 ? value : undefined;

const quiet: Night = {
  Requests: each(4, 3),
  '4xxErrorRate': each(4, 30),
  '5xxErrorRate': each(4, 0),
  HealthCheckStatus: 1,
  'Invocations ShortLinksRedirect': each(4, 2),
  'Errors ShortLinksRedirect': each(4, 0),
  'Throttles ShortLinksRedirect': each(4, 0),
  'Duration ShortLinksRedirect': each(4, 600),
  ClickWritten: each(20, 1),
  'Invocations ClicksAggregateClicks': each(20, 1),
  'Invocations ClicksExpireLinks': each(20, 1),
  IteratorAge: each(20, 900),
  Count: each(10, 1),
  '5XXError': each(10, 0),
  Latency: each(10, 80),
};

test('nothing goes off in a quiet night', () => {
  expect(wakes(quiet)).toEqual([]);
  expect(wakes({})).toEqual([]);
});

test('one scanner raises no alarm: short URLs, the reference page and calls without a key', () => {
  expect(
    wakes({
      ...quiet,
      Requests: 900,
      '4xxErrorRate': 98,
      '5xxErrorRate': 0,
      'Invocations ShortLinksRedirect': 890,
      'Errors ShortLinksRedirect': 0,
      'Duration ShortLinksRedirect': 40,
      Count: 90,
      '4XXError': 90,
      BlockedRequests: 200,
    }),
  ).toEqual([]);
});

test('ten bulk imports in a minute raise no alarm', () => {
  expect(
    wakes({
      ...quiet,
      Count: 10,
      Latency: 9000,
      'Invocations ClicksExpireLinks': 50,
      IteratorAge: 120_000,
      WriteThrottleEvents: each(10, 8),
    }),
  ).toEqual([]);
});

test('a table that is away pages for visits, calls and clicks', () => {
  const isOut = (minute: number) => minute >= 120 && minute < 150;
  const outage =
    (during: number, before: number | undefined = 0) =>
    (minute: number) =>
      isOut(minute) ? during : before;
  expect(
    wakes({
      ...quiet,
      Requests: 300,
      '5xxErrorRate': outage(90),
      'Invocations ShortLinksRedirect': 300,
      RedirectBusy: outage(270, undefined),
      ClickLost: outage(3, undefined),
      Count: 60,
      '5XXError': outage(50),
      'InternalError ApiAuthorize': outage(8, undefined),
    }),
  ).toEqual([
    '[page] ApiErrors',
    '[page] AuthorizerErrors',
    '[page] ClicksLost',
    '[page] EdgeErrors',
    '[page] OwnHostsEdgeErrors',
    '[page] RedirectErrors',
  ]);
});

test.each<[string, Night, string[]]>([
  [
    "CloudFront's lost permission on a function: everybody gets 403",
    { Requests: 1500, '4xxErrorRate': 100 },
    ['[ticket] EdgeRefusals', '[ticket] OwnHostsEdgeRefusals'],
  ],
  [
    'a DNS record that is gone',
    { HealthCheckStatus: 0 },
    ['[page] HealthCheck', '[ticket] StandbyHealthCheck'],
  ],
  ['a key that ignores Retry-After', { Count: 300, RateRefused: 200 }, ['[ticket] CallsRefused']],
  ['an API that is slow for many', { Count: 300, Latency: 3000 }, ['[ticket] ApiSlow']],
  [
    'an identity provider that is away',
    { Count: 20, '5XXError': 10, IssuerAway: 10 },
    ['[ticket] SignInErrors'],
  ],
  ["a customer's receiver that fails", { WebhookFailing: each(15, 1) }, ['[ticket] WebhooksFailing']],
  ["a neighbour's function out of concurrency", { Throttles: 50 }, ['[ticket] FunctionsThrottled']],
  ['a famous item', { WriteThrottleEvents: 40 }, ['[page] TableThrottled']],
])('%s', (_, change, expected) => {
  expect(wakes({ ...quiet, ...change })).toEqual(expected);
});

describe('the alarm on readers that were stopped', () => {
  const day = 24 * 60;
  /** The aggregator doesn't run meanwhile; started again, it first reads what waits. */
  const stoppedFrom = (from: number, to: number, clicks: Minutes) => {
    const at = typeof clicks === 'function' ? clicks : () => clicks;
    const runs = (minute: number) =>
      minute === to ? 1 : minute >= from && minute < to ? undefined : at(minute);
    return {
      ClickWritten: clicks,
      'Invocations ClicksAggregateClicks': runs,
      'Invocations ClicksExpireLinks': clicks,
    };
  };
  const red = (night: Night, minutes = minutesOfNight) =>
    redMinutes(named('ReadersStopped'), worldOf({ ...quiet, ...night }, minutes), minutes);

  test('goes off within an hour of the stop, also where few click, and stays for a day', () => {
    for (const clicks of [300, each(10, 1)]) {
      const [first = Infinity] = red(stoppedFrom(60, Infinity, clicks));
      expect(first - 60).toBeGreaterThanOrEqual(30);
      expect(first - 60).toBeLessThanOrEqual(60);
    }
    const all = red(stoppedFrom(60, 60 + day, each(5, 1)), 60 + day);
    expect(all).toEqual(Array.from({ length: all.length }, (_, i) => (all[0] ?? 0) + i));
    expect(all.at(-1)).toBe(60 + day);
  });

  test('sees either reader, and both', () => {
    const { 'Invocations ClicksAggregateClicks': runs, ...stopped } = stoppedFrom(0, day, 10);
    expect(runs(5)).toBeUndefined();
    const swapped = {
      'Invocations ClicksAggregateClicks': 10,
      'Invocations ClicksExpireLinks': () => undefined,
    };
    expect(red({ ...stopped, ...swapped }).length).toBeGreaterThan(0);
    const both = {
      'Invocations ClicksAggregateClicks': () => undefined,
      'Invocations ClicksExpireLinks': () => undefined,
    };
    expect(red({ ...stopped, ...both }).length).toBeGreaterThan(0);
  });

  test('stays silent without clicks: in a quiet night, for a scanner that gets 404, for crawlers and imports', () => {
    const none = stoppedFrom(0, day, () => undefined);
    expect(red(none)).toEqual([]);
    expect(red({ ...none, 'Invocations ShortLinksRedirect': 900, Requests: 900 })).toEqual([]);
    expect(
      red({ ...none, 'Invocations ShortLinksRedirect': 900, 'Invocations ClicksExpireLinks': 50, Count: 10 }),
    ).toEqual([]);
  });

  test('stays silent for a restart within half an hour, whenever it begins, and while clicks are gathered', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 120 }),
        fc.integer({ min: 1, max: 29 }),
        fc.integer({ min: 1, max: 15 }),
        (from, long, every) => {
          expect(red(stoppedFrom(from, from + long, each(every, 2)), 240)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    // Five minutes pass before a reader gets a click.
    const late = {
      ClickWritten: each(15, 5),
      'Invocations ClicksAggregateClicks': (minute: number) => each(15, 1)(minute - 5),
    };
    expect(red({ ...late, 'Invocations ClicksExpireLinks': each(15, 1) })).toEqual([]);
  });
});

test.each([
  ['IF(part >= 5, 100 * part / whole, 0)', { part: 6, whole: 60 }, 10],
  ['IF(part >= 5, 100 * part / whole, 0)', { part: 4, whole: 0 }, 0],
  ['100 * part / whole', { part: 4, whole: 0 }, undefined],
  ['FILL(a, 0) + FILL(b, 0) - 2', { a: undefined, b: 5 }, 3],
  ['IF(a < 1 AND (b == 2 OR c != 3), 1, 0)', { a: 0, b: 1, c: 4 }, 1],
  ['IF(a < 1, 1, 0)', { a: undefined }, undefined],
])('%s with %j is %p', (expression, known, expected) => {
  expect(computedAt(expression, known)).toBe(expected);
});

test('the stand-in for metric math refuses unsupported expressions', () => {
  for (const expression of ['RATE(a)', 'a +', 'a b', 'FILL(a, REPEAT)'])
    expect(() => computedAt(expression, { a: 1 })).toThrow(expression);
});

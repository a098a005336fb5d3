import * as fc from 'fast-check';
import {
  type BucketRange,
  bucketRange,
  bucketsOf,
  floorTo,
  intervals,
  keptPart,
  type RangeRequest,
  rangeBefore,
  spansOf,
} from '../../../core/analytics/time-range.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.parse('2026-11-21T14:30:00.000Z');
const at = (text: string) => Date.parse(text);
const shown = (range: BucketRange | undefined) =>
  range && [
    new Date(range.start).toISOString().slice(0, 16),
    new Date(range.end).toISOString().slice(0, 16),
    range.granularity,
  ];

test.each<[string, Partial<RangeRequest>, string[]]>([
  ['this hour and the 23 before', { interval: '24h' }, ['2026-11-20T15:00', '2026-11-21T15:00', 'hour']],
  ['today and the 6 days before', { interval: '7d' }, ['2026-11-15T00:00', '2026-11-22T00:00', 'day']],
  ['30 days', { interval: '30d' }, ['2026-10-23T00:00', '2026-11-22T00:00', 'day']],
  ['365 days', { interval: '1y' }, ['2025-11-22T00:00', '2026-11-22T00:00', 'day']],
  [
    'an interval up to an end',
    { interval: '7d', end: at('2026-03-08') },
    ['2026-03-01T00:00', '2026-03-08T00:00', 'day'],
  ],
  [
    'hours up to an end in an hour',
    { interval: '24h', end: at('2026-03-08T10:20Z') },
    ['2026-03-07T11:00', '2026-03-08T11:00', 'hour'],
  ],
  ['a start that wins', { start: at('2026-11-21T10:59Z') }, ['2026-11-21T10:00', '2026-11-21T15:00', 'hour']],
  ['48 hours', { start: now - 48 * hour }, ['2026-11-19T14:00', '2026-11-21T15:00', 'hour']],
  ['more than that', { start: now - 48 * hour - 1 }, ['2026-11-19T00:00', '2026-11-22T00:00', 'day']],
  ['400 days', { start: now - 400 * day }, ['2025-10-17T00:00', '2026-11-22T00:00', 'day']],
  ['more than that', { start: now - 400 * day - 1 }, ['2025-10-01T00:00', '2026-12-01T00:00', 'month']],
  [
    'an end in the future, clipped',
    { start: at('2026-11-20'), end: at('2030-01-01'), granularity: 'day' },
    ['2026-11-20T00:00', '2026-11-22T00:00', 'day'],
  ],
  [
    'the whole lifetime',
    { interval: 'all', beginning: at('2026-11-01T12:00Z') },
    ['2026-11-01T00:00', '2026-11-22T00:00', 'day'],
  ],
  [
    'a lifetime from long ago, as far as there may be buckets',
    { interval: 'all', beginning: at('0001-01-01') },
    ['1943-08-01T00:00', '2026-12-01T00:00', 'month'],
  ],
  [
    'an end at midnight',
    { start: at('2026-11-19'), end: at('2026-11-20') },
    ['2026-11-19T00:00', '2026-11-20T00:00', 'hour'],
  ],
])('%s', (_, request, expected) => {
  expect(shown(bucketRange({ interval: '30d', now, ...request }))).toEqual(expected);
});

test('the moment in which a bucket begins belongs to a range up to now, and not to one that ends before now', () => {
  const midnight = at('2026-11-21');
  const [today, before] = ['2026-11-15T00:00', '2026-11-14T00:00'];
  expect(shown(bucketRange({ interval: '7d', now: midnight }))).toEqual([today, '2026-11-22T00:00', 'day']);
  const ended = { interval: '7d', end: midnight, now: midnight + 1 } as const;
  expect(shown(bucketRange(ended))).toEqual([before, '2026-11-21T00:00', 'day']);
});

test.each<[string, Partial<RangeRequest>]>([
  ['a start at its end', { start: at('2026-11-20'), end: at('2026-11-20') }],
  ['a start in the future', { start: now + 1 }],
  ['a lifetime that has not begun', { interval: 'all' }],
  ['an end before the lifetime began', { interval: 'all', beginning: now - day, end: now - 2 * day }],
])('%s is empty', (_, request) => {
  expect(bucketRange({ interval: '30d', now, ...request })).toBeUndefined();
});

const request: fc.Arbitrary<RangeRequest> = fc.record(
  {
    interval: fc.constantFrom(...intervals),
    now: fc.constant(now),
    start: fc.integer({ min: now - 600 * day, max: now + day }),
    end: fc.integer({ min: now - 600 * day, max: now + day }),
    beginning: fc.integer({ min: now - 600 * day, max: now }),
    granularity: fc.constantFrom('hour', 'day', 'month'),
  },
  { requiredKeys: ['interval', 'now'] },
);

const range = request.map(bucketRange).filter((one) => one !== undefined);

test('ranges consist of whole buckets without gaps', () => {
  fc.assert(
    fc.property(range, (one) => {
      const starts = bucketsOf(one, 15_000) ?? [];
      const ends = [...starts.slice(1), one.end];
      expect(starts[0]).toBe(one.start);
      expect(starts.map((start) => floorTo(one.granularity, start))).toEqual(starts);
      expect(ends.map((end) => floorTo(one.granularity, end - 1))).toEqual(starts);
    }),
  );
});

test('as many buckets before a range end where it begins', () => {
  const request = fc.record({
    interval: fc.constantFrom(...intervals.filter((one) => one !== 'all')),
    granularity: fc.constantFrom('hour' as const, 'day' as const, 'month' as const),
    now: fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2040-01-01T00:00Z') }),
  });
  fc.assert(
    fc.property(request, (asked) => {
      const range = bucketRange(asked) as BucketRange;
      const buckets = bucketsOf(range, 10_000)?.length ?? 0;
      const before = rangeBefore(range, buckets);
      expect([before.end, before.granularity]).toEqual([range.start, range.granularity]);
      expect(bucketsOf(before, 10_000)).toHaveLength(buckets);
      expect(floorTo(asked.granularity, before.start)).toBe(before.start);
    }),
  );
});

test('a range includes its start and its last moment', () => {
  fc.assert(
    fc.property(request, (one) => {
      const found = bucketRange(one);
      const end = Math.min(one.end ?? one.now, one.now);
      if (!found || one.start === undefined) return;
      expect(found.start).toBeLessThanOrEqual(one.start);
      expect(found.end).toBeGreaterThanOrEqual(end);
    }),
  );
});

test('spans cover every hour of a range exactly once', () => {
  fc.assert(
    fc.property(range, (one) => {
      const spans = spansOf(one);
      expect(spans[0]?.start).toBe(one.start);
      expect(spans.at(-1)?.end).toBe(one.end);
      for (const [i, { unit, start, end }] of spans.entries()) {
        expect(end).toBeGreaterThan(start);
        const floor = (time: number) => floorTo(unit === 'hour' ? 'hour' : 'day', time);
        expect([floor(start), floor(end)]).toEqual([start, end]);
        if (i > 0) expect(start).toBe(spans[i - 1]?.end);
      }
    }),
  );
});

test('too many buckets for a response give none', () => {
  const days = {
    granularity: 'day',
    start: now - (now % day) - 999 * day,
    end: now - (now % day) + day,
  } as const;
  expect(bucketsOf(days, 1000)).toHaveLength(1000);
  expect(bucketsOf({ ...days, start: days.start - day }, 1000)).toBeUndefined();
});

test('expired spans are cut off', () => {
  const spans = spansOf({
    granularity: 'day',
    start: now - (now % day) - 9 * day,
    end: now - (now % day) + day,
  });
  expect(keptPart(spans, now)).toEqual(spans);
  expect(keptPart(spans, now, 3)).toEqual([{ ...spans[0], start: now - (now % day) - 3 * day }]);
  expect(keptPart([{ start: 0, end: day }], now, 3)).toEqual([]);
});

import * as fc from 'fast-check';
import { type ExcludedCount, ExcludedVisits } from '../../../core/visits/excluded-visits.ts';

const link = { project: 'acme', code: 'spring' };
const other = { project: 'acme', code: 'summer' };

const bots = (visits: ExcludedVisits, times: readonly number[], one = link) =>
  times.map((now) => visits.add(one, 'bot', now));

const each = (count: number, at: (i: number) => number = () => 0) =>
  Array.from({ length: count }, (_, i) => at(i));

const sumOf = (counts: readonly ExcludedCount[]): number =>
  counts.flatMap(({ reasons }) => Object.values(reasons)).reduce((sum, visits) => sum + visits, 0);

test('returns visits at once while they are few', () => {
  const visits = new ExcludedVisits();
  expect(visits.add(link, 'bot', 0)).toEqual([{ ...link, reasons: { bot: 1 } }]);
  expect(visits.add(link, 'head', 1)).toEqual([{ ...link, reasons: { head: 1 } }]);
  // 20 a minute, for ever.
  const monitor = bots(
    visits,
    each(200, (i) => 60_000 + i * 3000),
    other,
  );
  expect(monitor.every((counts) => sumOf(counts) === 1)).toBe(true);
});

test('gathers the visits beyond 20 of a minute, by reason, for ten seconds', () => {
  const visits = new ExcludedVisits();
  expect(bots(visits, each(20)).flat()).toHaveLength(20);
  const gathered = bots(
    visits,
    each(20, (i) => 100 + i),
  );
  expect(gathered.flat()).toEqual([]);
  expect(visits.add(link, 'head', 9999)).toEqual([]);
  const all = { ...link, reasons: { bot: 20, head: 1, prefetch: 1 } };
  expect(visits.add(link, 'prefetch', 10_000)).toEqual([all]);
  expect(visits.add(link, 'bot', 10_001)).toEqual([]);
});

test('a link that was busy in the minute before is still gathered, and after a quiet one not', () => {
  const visits = new ExcludedVisits();
  bots(
    visits,
    each(60, (i) => i * 1000),
  );
  expect(sumOf(visits.add(link, 'bot', 60_000))).toBe(10);
  expect(visits.add(link, 'bot', 69_000)).toEqual([]);
  expect(sumOf(visits.add(link, 'bot', 70_000))).toBe(2);
  expect(visits.add(link, 'bot', 130_000)).toHaveLength(1);
  expect(visits.add(link, 'bot', 131_000)).toHaveLength(1);
});

test("any link's visit writes the counts of all links", () => {
  const visits = new ExcludedVisits();
  for (let i = 0; i < 12; i += 1) bots(visits, each(21), { project: 'acme', code: `code-${i}` });
  expect(visits.add(other, 'bot', 9999)).toEqual([{ ...other, reasons: { bot: 1 } }]);
  const [written, next] = bots(visits, [10_000, 10_001], other);
  expect([written?.length, sumOf(written ?? [])]).toEqual([13, 13]);
  expect(next).toEqual([{ ...other, reasons: { bot: 1 } }]);
});

test('takes counts back, and adds later ones of their link', () => {
  const visits = new ExcludedVisits();
  for (const count of visits.add(link, 'bot', 0)) visits.giveBack(count, 0);
  expect(visits.add(link, 'head', 1000)).toEqual([]);
  expect(visits.add(other, 'bot', 9999)).toEqual([{ ...other, reasons: { bot: 1 } }]);
  expect(visits.add(other, 'bot', 10_000)).toEqual([
    { ...link, reasons: { bot: 1, head: 1 } },
    { ...other, reasons: { bot: 1 } },
  ]);
});

test('loses nothing, whatever comes when, with a table that refuses', () => {
  const visit = fc.record({ code: fc.nat(30), pause: fc.nat(3000), isRefused: fc.boolean() });
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 500 }), (all) => {
      const visits = new ExcludedVisits();
      let [now, written] = [0, 0];
      for (const { code, pause, isRefused } of all) {
        now += pause;
        const counts = visits.add({ project: 'acme', code: `code-${code}` }, 'bot', now);
        if (isRefused) for (const count of counts) visits.giveBack(count, now);
        else written += sumOf(counts);
      }
      expect(written + sumOf(visits.add(link, 'head', now + 10_000))).toBe(all.length + 1);
    }),
  );
});

test('forgets the links without a visit for longest', () => {
  const visits = new ExcludedVisits();
  bots(visits, each(20));
  for (let i = 0; i < 5000; i += 1) visits.add({ project: 'acme', code: `code-${i}` }, 'bot', 1);
  expect(visits.add(link, 'bot', 2)).toHaveLength(1);
});

test('100 execution environments write ten times a second for 1,000 bots a second', () => {
  const fleet = Array.from({ length: 100 }, () => new ExcludedVisits());
  const seconds = Array.from({ length: 180 }, () => 0);
  let written = 0;
  for (let i = 0; i < 180_000; i += 1) {
    const counts = fleet[i % 100]?.add(link, 'bot', i) ?? [];
    seconds[Math.floor(i / 1000)] = (seconds[Math.floor(i / 1000)] ?? 0) + counts.length;
    written += sumOf(counts);
  }
  // The first 20 visits of each container come in two seconds.
  expect(seconds.slice(2).reduce((sum, writes) => sum + writes, 0) / 178).toBeLessThanOrEqual(10);
  expect(180_000 - written).toBeLessThanOrEqual(100 * 100);
});

import { ExcludedVisits } from '../../../core/clicks/excluded-visits.ts';

const link = { project: 'acme', code: 'spring' };
const other = { project: 'acme', code: 'summer' };

const bots = (visits: ExcludedVisits, times: readonly number[], one = link) =>
  times.map((now) => visits.add(one, 'bot', now));

const each = (count: number, at: (i: number) => number = () => 0) =>
  Array.from({ length: count }, (_, i) => at(i));

test('returns visits at once while they are few', () => {
  const visits = new ExcludedVisits({ writesAMinute: 30 });
  expect(visits.add(link, 'bot', 0)).toEqual([{ ...link, reasons: { bot: 1 } }]);
  expect(visits.add(link, 'head', 1)).toEqual([{ ...link, reasons: { head: 1 } }]);
});

test('gathers the other visits of a minute, by reason', () => {
  const visits = new ExcludedVisits({ writesAMinute: 30 });
  bots(visits, each(30));
  expect(
    bots(
      visits,
      each(20, (i) => 1000 + i),
    ).flat(),
  ).toEqual([]);
  expect(visits.add(link, 'head', 59_999)).toEqual([]);
  expect(visits.add(link, 'prefetch', 60_000)).toEqual([
    { ...link, reasons: { bot: 20, head: 1, prefetch: 1 } },
  ]);
});

test('counts ten visits a second at once', () => {
  const visits = new ExcludedVisits();
  expect(bots(visits, each(600)).flat()).toHaveLength(600);
  expect(visits.add(link, 'bot', 0)).toEqual([]);
});

test('needs at most the given writes a minute, for 10,000 visits', () => {
  const handedOut = bots(
    new ExcludedVisits({ writesAMinute: 30 }),
    each(10_000, (i) => i * 18),
  ).flat();
  expect(handedOut).toHaveLength(90);
});

test('returns gathered visits of other links when they are due', () => {
  const visits = new ExcludedVisits({ writesAMinute: 30 });
  bots(visits, each(31));
  expect(visits.add(other, 'head', 60_000)).toEqual([
    { ...other, reasons: { head: 1 } },
    { ...link, reasons: { bot: 1 } },
  ]);
  expect(visits.add(other, 'head', 130_000)).toEqual([{ ...other, reasons: { head: 1 } }]);
});

test('returns at most four at once, and loses none', () => {
  const visits = new ExcludedVisits({ writesAMinute: 30 });
  let handedOut = 0;
  const add = (one: typeof link, now: number) => {
    const counts = visits.add(one, 'bot', now);
    expect(counts.length).toBeLessThanOrEqual(4);
    handedOut += counts.reduce((sum, { reasons }) => sum + (reasons.bot ?? 0), 0);
  };
  for (let i = 0; i < 20; i += 1)
    for (const now of each(33)) add({ project: 'acme', code: `code-${i}` }, now);
  expect(handedOut).toBe(20 * 30);
  for (let i = 0; i < 10; i += 1) add(link, 70_000 + i * 60_000);
  expect(handedOut).toBe(20 * 33 + 10);
});

test('loses nothing with too many links', () => {
  const visits = new ExcludedVisits({ most: 10, writesAMinute: 30 });
  let handedOut = 0;
  for (let i = 0; i < 100; i += 1) {
    for (const counts of bots(
      visits,
      each(32, () => i),
      { project: 'acme', code: `code-${i}` },
    )) {
      handedOut += counts.reduce((sum, { reasons }) => sum + (reasons.bot ?? 0), 0);
    }
  }
  expect(handedOut).toBeGreaterThanOrEqual(90 * 32);
});

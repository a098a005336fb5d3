import { ExcludedVisits } from '../../../core/clicks/excluded-visits.ts';

const link = { project: 'acme', code: 'spring' };
const other = { project: 'acme', code: 'summer' };

test("hands out a link's first visit at once", () => {
  expect(new ExcludedVisits().add(link, 'bot', 0)).toEqual([{ ...link, reasons: { bot: 1 } }]);
});

test('gathers the visits of a minute, by reason', () => {
  const visits = new ExcludedVisits();
  visits.add(link, 'bot', 0);
  for (let second = 1; second < 60; second += 1) {
    expect(visits.add(link, second % 2 === 0 ? 'head' : 'bot', second * 1000)).toEqual([]);
  }
  expect(visits.add(link, 'prefetch', 60_000)).toEqual([
    { ...link, reasons: { bot: 30, head: 29, prefetch: 1 } },
  ]);
});

test('costs a write a minute for 10,000 visits', () => {
  const visits = new ExcludedVisits();
  const handedOut = Array.from({ length: 10_000 }, (_, i) => visits.add(link, 'bot', i * 18)).flat();
  expect(handedOut).toHaveLength(3);
});

test('hands out what other links have gathered when their time has come', () => {
  const visits = new ExcludedVisits();
  for (const now of [0, 1]) visits.add(link, 'bot', now);
  expect(visits.add(other, 'head', 60_000)).toEqual([
    { ...other, reasons: { head: 1 } },
    { ...link, reasons: { bot: 1 } },
  ]);
  expect(visits.add(other, 'head', 130_000)).toEqual([{ ...other, reasons: { head: 1 } }]);
});

test('hands out only so many at once, and none is lost', () => {
  const visits = new ExcludedVisits();
  const links = Array.from({ length: 20 }, (_, i) => ({ project: 'acme', code: `code-${i}` }));
  let handedOut = 0;
  const add = (one: typeof link, now: number) => {
    const counts = visits.add(one, 'bot', now);
    expect(counts.length).toBeLessThanOrEqual(4);
    handedOut += counts.reduce((sum, { reasons }) => sum + (reasons.bot ?? 0), 0);
  };
  for (const one of links) for (const now of [0, 1, 2]) add(one, now);
  for (let i = 0; i < 10; i += 1) add(link, 70_000 + i * 60_000);
  expect(handedOut).toBe(70);
});

test('forgets nothing when there are too many links', () => {
  const visits = new ExcludedVisits(10);
  let handedOut = 0;
  for (let i = 0; i < 100; i += 1) {
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const counts = visits.add({ project: 'acme', code: `code-${i}` }, 'bot', i);
      handedOut += counts.reduce((sum, { reasons }) => sum + (reasons.bot ?? 0), 0);
    }
  }
  expect(handedOut).toBeGreaterThanOrEqual(190);
});

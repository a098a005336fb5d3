import * as fc from 'fast-check';
import { barsOf, marksOf, mostBars } from '../../../console/components/bars.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    start: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
    values: [i, 1],
  }));

test('a year has a bar for each week, and no range has more than 60 bars', () => {
  const year = barsOf(days(365), 'day');
  expect(year).toHaveLength(53);
  expect(year.at(-1)).toEqual({
    start: '2026-12-25T00:00:00.000Z',
    last: '2026-12-31T00:00:00.000Z',
    values: [7 * 361, 7],
  });
  fc.assert(
    fc.property(fc.nat(1000), fc.constantFrom('hour', 'day', 'month'), (count, granularity) => {
      if (granularity === 'hour') count %= 51;
      const points = days(count);
      const bars = barsOf(points, granularity);
      expect(bars.length).toBeLessThanOrEqual(mostBars);
      for (const i of [0, 1]) {
        const sum = (some: readonly { readonly values: readonly number[] }[]) =>
          some.reduce((all, { values }) => all + (values[i] ?? 0), 0);
        expect(sum(bars)).toBe(sum(points));
      }
    }),
  );
});

test('sixty days are a bar each, sixty-one are weeks', () => {
  expect(barsOf(days(60), 'day')).toHaveLength(60);
  expect(barsOf(days(61), 'day').map(({ values }) => values[1])).toEqual([5, 7, 7, 7, 7, 7, 7, 7, 7]);
});

test('the value axis has few marks, and none between two clicks', () => {
  expect(marksOf(0)).toEqual([0, 1, 2, 3, 4]);
  expect(marksOf(88)).toEqual([0, 20, 40, 60, 80, 100]);
  fc.assert(
    fc.property(fc.nat(), (highest) => {
      const marks = marksOf(highest);
      expect(marks.length).toBeLessThanOrEqual(6);
      expect(marks.every(Number.isInteger)).toBe(true);
      expect(marks.at(-1)).toBeGreaterThanOrEqual(highest);
      expect(marks.at(-2)).toBeLessThan(Math.max(4, highest));
    }),
  );
});

import type { Granularity } from '../../core/analytics/time-range.ts';

export interface Point {
  /** ISO 8601 in UTC. */
  readonly start: string;
  readonly values: readonly number[];
  /** The start of the period that it is compared with. */
  readonly before?: string | undefined;
}

/** The sum of one or several consecutive points. */
export interface Bar extends Point {
  /** The start of its last point. */
  readonly last: string;
}

/** More can't be distinguished on a phone. */
export const mostBars = 60;

/** The points that a bar may have. */
const widths: Readonly<Record<Granularity, readonly number[]>> = {
  hour: [1, 6],
  day: [1, 7],
  month: [1, 3, 12, 120],
};

/** The number of points in each bar. */
export const widthOf = (points: number, granularity: Granularity): number =>
  widths[granularity].find((count) => points <= count * mostBars) ?? points;

/** Bars of equally many points each; the oldest may have fewer. */
export const barsOf = (points: readonly Point[], granularity: Granularity): Bar[] => {
  const width = widthOf(points.length, granularity);
  const bars: Bar[] = [];
  for (let end = points.length; end > 0; end -= width) {
    const [first, ...more] = points.slice(Math.max(0, end - width), end);
    if (!first) break;
    const values = first.values.map((value, i) =>
      more.reduce((sum, one) => sum + (one.values[i] ?? 0), value),
    );
    bars.unshift({ ...first, last: more.at(-1)?.start ?? first.start, values });
  }
  return bars;
};

/** The value axis's few marks, all whole numbers; the last one isn't below the highest value. */
export const marksOf = (highest: number): number[] => {
  const most = Math.max(4, highest);
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => most / one <= 5) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step);
};

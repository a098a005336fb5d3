import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { compact, number } from '../format.ts';
import { Scroll } from './scroll.tsx';

export interface Point {
  /** ISO 8601 in UTC. */
  readonly start: string;
  readonly values: readonly number[];
}

interface PlotProps {
  readonly points: readonly Point[];
  /** Names of the values; the first is drawn as an area, and what was before as a dashed line in a colour of its own. */
  readonly names: readonly string[];
  readonly granularity: 'hour' | 'day' | 'month';
}

const formats = {
  hour: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' },
  day: { dateStyle: 'full', timeZone: 'UTC' },
  month: { month: 'long', year: 'numeric', timeZone: 'UTC' },
} as const;

const height = 260;

/**
 * Values over time, with axes, the value under the pointer or the arrow keys' cursor, and the same as a
 * table.
 */
export const Plot = ({ points, names, granularity }: PlotProps) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [at, setAt] = useState<number>();
  const format = new Intl.DateTimeFormat('en', formats[granularity]);
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = drawn(box, { points, names, granularity, onCursor: setAt });
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: box.clientWidth, height }));
    resized.observe(box);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      theme.removeEventListener('change', draw);
      plot.current?.destroy();
    };
  }, [points, names, granularity]);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(points.length - 1, Math.max(0, (at ?? (step > 0 ? -1 : points.length)) + step));
    const left = plot.current?.valToPos(seconds(points[next]), 'x');
    plot.current?.setCursor({ left: left ?? -10, top: height / 3 });
  };
  const shown = at === undefined ? undefined : points[at];
  const spoken = (point: Point | undefined) =>
    point &&
    [
      format.format(new Date(point.start)),
      ...names.map((name, i) => `${number(point.values[i] ?? 0)} ${name}`),
    ].join(', ');
  return (
    <figure class="plot">
      <figcaption>
        {names.map((name, i) => (
          <span key={name} class={`series series-${colorOf(name, i)}`}>
            {name}
            {shown && <b> {number(shown.values[i] ?? 0)}</b>}
          </span>
        ))}
        <span class="when">{shown ? format.format(new Date(shown.start)) : 'Times are UTC'}</span>
      </figcaption>
      <div
        ref={place}
        class="canvas"
        role="slider"
        tabIndex={0}
        aria-label={summary(points, names)}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={at ?? points.length - 1}
        aria-valuetext={spoken(points[at ?? points.length - 1])}
        onKeyDown={move}
      />
      <details>
        <summary>Show as a table</summary>
        <Scroll name="Values over time" rows={points.length}>
          <table>
            <thead>
              <tr>
                <th scope="col">Time (UTC)</th>
                {names.map((name) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ start, values }) => (
                <tr key={start}>
                  <th scope="row">{format.format(new Date(start))}</th>
                  {values.map((value, i) => (
                    <td key={names[i]} class="number">
                      {number(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </figure>
  );
};

const seconds = (point: Point | undefined): number => Date.parse(point?.start ?? '') / 1000;

const summary = (points: readonly Point[], names: readonly string[]): string => {
  const totals = names.map((name, i) => {
    const sum = points.reduce((total, { values }) => total + (values[i] ?? 0), 0);
    return `${number(sum)} ${name.toLowerCase()}`;
  });
  return `${totals.join(' and ')} over time. Arrow keys move from point to point; the table below has every value.`;
};

const isBefore = (name: string): boolean => name.endsWith(' before');
const colorOf = (name: string, i: number): number => (isBefore(name) ? 2 : i);

interface Drawing extends PlotProps {
  readonly onCursor: (index: number | undefined) => void;
}

const drawn = (box: HTMLElement, { points, names, granularity, onCursor }: Drawing): uPlot => {
  const style = getComputedStyle(box);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--soft'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const columns = names.map((_, i) => points.map(({ values }) => values[i] ?? 0));
  return new uPlot(
    {
      width: box.clientWidth,
      height,
      legend: { show: false },
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: { y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] } },
      axes: [
        {
          ...axis,
          space: 64,
          size: 30,
          incrs: timeSteps[granularity],
          // biome-ignore lint/complexity/useMaxParams: uPlot's own
          values: (_plot, ticks, _axis, _space, step) => timesOf(ticks, step),
        },
        {
          ...axis,
          size: 56,
          incrs: wholeSteps,
          values: (_plot, ticks) => ticks.map((tick) => compact(tick)),
        },
      ],
      series: [
        {},
        ...names.map((name, i) => ({
          stroke: color(`--series-${colorOf(name, i)}`),
          width: 2,
          ...(isBefore(name) && { dash: [6, 5] }),
          points: { show: points.length < 3 },
          ...(i === 0 && { fill: color('--series-fill') }),
        })),
      ],
      hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? undefined)] },
    },
    [points.map(seconds), ...columns] as uPlot.AlignedData,
    box,
  );
};

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
const tickFormats = {
  hours: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  days: format({ month: 'short', day: 'numeric' }),
  months: format({ month: 'short' }),
  years: format({ month: 'short', year: 'numeric' }),
};
const daySeconds = 86_400;

/** Distances between marks of the time axis in seconds, as uPlot has them: where days are counted, there is nothing between them. */
const timeSteps = (() => {
  const times = (unit: number, ...counts: number[]) => counts.map((count) => count * unit);
  const months = [...times(30 * daySeconds, 1, 2, 3, 4, 6), ...times(365 * daySeconds, 1, 2, 5, 10)];
  const days = [...times(daySeconds, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15), ...months];
  return { hour: [...times(3600, 1, 2, 3, 4, 6, 8, 12), ...days], day: days, month: months };
})();

/** Marks of the time axis at this distance in seconds; the year shows where it begins. */
const timesOf = (ticks: readonly number[], step: number): string[] =>
  ticks.map((tick, i) => {
    const date = new Date(tick * 1000);
    if (step < daySeconds) return tickFormats[tick % daySeconds === 0 ? 'days' : 'hours'].format(date);
    if (step < 28 * daySeconds) return tickFormats.days.format(date);
    return tickFormats[i === 0 || date.getUTCMonth() === 0 ? 'years' : 'months'].format(date);
  });

/** There are no half clicks. */
const wholeSteps = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

import { useState } from 'preact/hooks';
import { dayMs, hourMs } from '../../core/base/durations.ts';
import { compact, day, number, plural } from '../format.ts';
import { type Bar, barsOf, marksOf, type Point, widthOf } from './bars.ts';
import { ColumnHeads } from './columns.tsx';
import { Rows } from './rows.tsx';

export interface Series {
  readonly name: string;
  /** How it is drawn: as bars, as a mark across each bar, or as a line. Without it, only the text and the table show it. */
  readonly mark?: 'bar' | 'part' | 'line';
}

export interface PlotProps {
  readonly points: readonly Point[];
  /** Describes the values of each point, in their order. */
  readonly series: readonly Series[];
  readonly granularity: keyof typeof formats;
  /** What happened when, to mark its bar. */
  readonly changes?: readonly { readonly at: string; readonly words: string }[];
}

const formats = {
  hour: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' },
  day: { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' },
  month: { month: 'long', year: 'numeric', timeZone: 'UTC' },
} as const;

const several = {
  hour: formats.hour,
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  month: formats.month,
} as const;

const marked = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
  day: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  month: { month: 'short', year: 'numeric', timeZone: 'UTC' },
} as const;

/**
 * Values over time as bars. The pointer or the arrow keys choose a bar, whose values are shown as text. A table has the
 * values of every point.
 */
export const Plot = ({ points, series, granularity, changes = [] }: PlotProps) => {
  const [at, setAt] = useState<number>();
  const bars = barsOf(points, granularity);
  const last = bars.length - 1;
  const isRunning = runsOn(bars[last], granularity);
  const when = ({ start, last: end }: Bar) => {
    const words =
      start === end
        ? new Intl.DateTimeFormat('en', formats[granularity]).format(new Date(start))
        : new Intl.DateTimeFormat('en', several[granularity]).formatRange(new Date(start), new Date(end));
    return isRunning && end === bars[last]?.last ? `${words} so far` : words;
  };
  const changesIn = (bar: Bar) =>
    changes
      .filter(
        ({ at }) => at >= bar.start && at < (bars[bars.indexOf(bar) + 1]?.start ?? endOf(bar, granularity)),
      )
      .map(({ words }) => words)
      .reverse();
  const shown = at === undefined ? undefined : bars[at];
  const textOf = (bar: Bar | undefined) =>
    bar &&
    [
      when(bar),
      ...series.map(({ name }, i) => `${number(bar.values[i] ?? 0)} ${name}`),
      ...changesIn(bar),
    ].join(', ');
  const move = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: (at ?? last + 1) - 1,
      ArrowRight: (at ?? -1) + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, to)));
  };
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
  };
  return (
    <figure class="plot">
      <figcaption>
        {series.map(
          ({ name, mark }, i) =>
            (mark || shown) && (
              <span key={name} class={`series ${mark ?? 'plain'}`}>
                {name}
                {mark === 'line' && shown?.before && ` (${day(shown.before.slice(0, 10))})`}
                {shown && <b> {number(shown.values[i] ?? 0)}</b>}
              </span>
            ),
        )}
        {bars.some((bar) => changesIn(bar).length > 0) && (
          <span class="series change">Changes of the link</span>
        )}
        <span class="when">
          {shown ? [when(shown), ...changesIn(shown)].join(' · ') : widthInWords(points.length, granularity)}
        </span>
      </figcaption>
      <div
        class="bars"
        role="slider"
        tabIndex={0}
        aria-label={summary(points, series)}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={textOf(bars[at ?? last])}
        onKeyDown={move}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(undefined)}
      >
        <Drawing bars={bars} series={series} at={at} isRunning={isRunning} />
        {bars.map((bar, i) =>
          changesIn(bar).length > 0 ? (
            <span key={bar.start} class="change" style={{ left: `${((i + 0.5) / bars.length) * 100}%` }} />
          ) : null,
        )}
      </div>
      <TimeAxis bars={bars} granularity={granularity} isRunning={isRunning} />
      <details>
        <summary>Show as a table</summary>
        <Rows rows={points.toReversed()}>
          {(rows) => (
            <table>
              <ColumnHeads names={[['Time (UTC)'], ...series.map(({ name }) => [name, 'number'] as const)]} />
              <tbody>
                {rows.map(({ start, values }) => (
                  <tr key={start}>
                    <th scope="row">{when({ start, last: start, values })}</th>
                    {values.map((value, i) => (
                      <td key={series[i]?.name} class="number">
                        {number(value)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Rows>
      </details>
    </figure>
  );
};

interface DrawingProps {
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly at: number | undefined;
  /** Whether the last bar's period isn't over, which is drawn differently. */
  readonly isRunning: boolean;
}

/** Stretched to its box: a unit is one bar wide and one click high. */
const Drawing = ({ bars, series, at, isRunning }: DrawingProps) => {
  const drawn = series.flatMap(({ mark }, i) =>
    mark ? [{ mark, of: (bar: Bar) => bar.values[i] ?? 0 }] : [],
  );
  const marks = marksOf(Math.max(0, ...bars.flatMap((bar) => drawn.map(({ of }) => of(bar)))));
  const top = (marks.at(-1) ?? 1) * 1.05;
  return (
    <>
      {marks.map((mark) => (
        <span key={mark} class="mark" style={{ bottom: `${(mark / top) * 100}%` }}>
          {compact(mark)}
        </span>
      ))}
      <svg viewBox={`0 0 ${bars.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {at !== undefined && <rect class="at" x={at} width="1" height={top} />}
        {drawn.map(({ mark, of }) =>
          mark === 'line' ? (
            ['halo', 'line'].map((part) => (
              <polyline
                key={part}
                class={part}
                points={bars.map((bar, i) => `${i + 0.5},${top - of(bar)}`).join(' ')}
              />
            ))
          ) : (
            <g key={mark} class={mark}>
              {bars.map((bar, i) => (
                <rect
                  key={bar.start}
                  class={isRunning && i === bars.length - 1 ? 'running' : undefined}
                  x={i + 0.14}
                  width="0.72"
                  y={top - of(bar)}
                  height={mark === 'part' ? Math.min(of(bar), top * 0.012) : of(bar)}
                />
              ))}
            </g>
          ),
        )}
      </svg>
    </>
  );
};

interface TimeAxisProps extends Pick<DrawingProps, 'bars' | 'isRunning'>, Pick<PlotProps, 'granularity'> {}

/** Characters of an ISO time that name its hour, day or month. */
const named = { hour: 13, day: 10, month: 7 } as const;

/** Whether a bar's hour, day or month isn't over. */
const runsOn = (bar: Bar | undefined, granularity: PlotProps['granularity']): boolean =>
  bar?.last.slice(0, named[granularity]) === new Date().toISOString().slice(0, named[granularity]);

/** At most six times, in the middle of their bars. */
const TimeAxis = ({ bars, granularity, isRunning }: TimeAxisProps) => {
  const step = Math.ceil(bars.length / 6);
  const format = new Intl.DateTimeFormat('en', marked[granularity]);
  const last = bars.at(-1);
  return (
    <div class="times" aria-hidden="true">
      {bars.map(({ start }, i) =>
        i % step === Math.floor(step / 2) ? (
          <span key={start} style={{ left: `${((i + 0.5) / bars.length) * 100}%` }}>
            {format.format(new Date(start))}
          </span>
        ) : null,
      )}
      {isRunning && <b>{granularity === 'day' && last?.start === last?.last ? 'Today' : 'Now'}</b>}
    </div>
  );
};

const widthInWords = (points: number, granularity: PlotProps['granularity']): string => {
  const width = widthOf(points, granularity);
  const words = width === 1 ? 'Days and hours are UTC' : `A bar is ${plural(width, granularity)}, in UTC`;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const begins = new Date(new Date().setUTCHours(0, 0, 0, 0)).toTimeString().slice(0, 5);
  return begins === '00:00' ? words : `${words}; a day begins at ${begins} in ${timeZone}`;
};

/** The end of the last bar, or later in a short month. */
const endOf = ({ last }: Bar, granularity: PlotProps['granularity']): string =>
  new Date(Date.parse(last) + lengths[granularity]).toISOString();

const lengths = { hour: hourMs, day: dayMs, month: 31 * dayMs } as const;

const summary = (points: readonly Point[], series: readonly Series[]): string => {
  const totals = series.map(({ name }, i) => {
    const sum = points.reduce((total, { values }) => total + (values[i] ?? 0), 0);
    return `${number(sum)} ${name.toLowerCase()}`;
  });
  return `${totals.join(' and ')} over time. Arrow keys move from bar to bar; the table below has every value.`;
};

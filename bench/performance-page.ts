import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Measurement, shownNumber } from './report.ts';

/** A section of bench/results.json. */
export interface Kept {
  readonly measuredAt: string;
  readonly machine: string;
  readonly measurements: readonly Measurement[];
  /** The version of the other checkout, if there was one. */
  readonly against?: string;
}

/** Columns of a table, by the suffix of a row's name in the results. Other sections have a row per measurement. */
const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  redirects: {
    'per second': '',
    p99: ': p99',
    'processor time of a visit': ': processor time of a visit',
    'per second, against': ', against the other',
    'p99, against': ': p99, against the other',
    'processor time, against': ': processor time of a visit, against the other',
  },
  'cold-start': { size: ': bundle', 'import, over an empty handler': ': import over empty' },
};

/** Rows that the page leaves out. */
const leftOut: Readonly<Record<string, RegExp>> = {
  redirects: /other checkout/,
  'cold-start': /^(?!(redirect|authorize|aggregate-clicks|api\/(create|get)-link): )/,
  footprint: /other checkout/,
};

const shown = ({ value, unit, goal, met }: Measurement): string =>
  `${shownNumber(value)} ${unit}`.trim() +
  (goal === undefined ? '' : ` (goal: ${goal}${met ? '' : ', missed'})`);

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const [first = [], ...others] = rows;
  return [first, first.map((_, i) => (i === 0 ? '---' : '---:')), ...others].map(line).join('\n');
};

const rowsOf = (
  name: string,
  measurements: readonly Measurement[],
  against: string,
): (readonly string[])[] => {
  const parts = columns[name];
  if (!parts)
    return [['', 'measured'], ...measurements.map((measurement) => [measurement.name, shown(measurement)])];
  const suffixes = Object.values(parts);
  const [first = ''] = suffixes;
  const named = new Map(measurements.map((measurement) => [measurement.name, measurement]));
  const used = Object.entries(parts).filter(([, suffix]) =>
    measurements.some((measurement) => measurement.name.endsWith(suffix)),
  );
  const rows = measurements
    .filter(({ name: full }) => (first === '' ? !/: |, against /.test(full) : full.endsWith(first)))
    .map(({ name: full }) => full.slice(0, full.length - first.length))
    .map((row) => [row, ...used.map(([, suffix]) => cellOf(named.get(`${row}${suffix}`)))]);
  return [['', ...used.map(([title]) => title.replace(/against$/, `against ${against}`))], ...rows];
};

const cellOf = (measurement: Measurement | undefined) => (measurement ? shown(measurement) : '');

/** A block of the page: the section's measurements, with day and machine. */
const blockOf = (name: string, kept: Kept | undefined): string => {
  if (!kept) return 'Not measured yet.';
  const measurements = kept.measurements.filter((measurement) => !leftOut[name]?.test(measurement.name));
  const day = new Date(kept.measuredAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `\`${name}\`, ${day}, ${kept.machine}:\n\n${tableOf(rowsOf(name, measurements, kept.against ?? 'the other'))}`;
};

/** The page with the measurements of the results: each block stands between two comments. */
export const performancePage = (page: string, sections: Readonly<Record<string, Kept>>): string =>
  page.replaceAll(
    /(<!-- measurements: ([\w-]+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}\n${blockOf(name, sections[name])}\n\n${end}`,
  );

if (import.meta.main) {
  const read = (file: string) => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
  const { sections } = JSON.parse(read('bench/results.json'));
  process.stdout.write(performancePage(read('docs/performance.md'), sections));
}

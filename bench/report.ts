/** One measurement of a benchmark. Only ratios within one run apply to other machines. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The goal, if there is one. */
  readonly goal?: string;
  readonly met?: boolean;
}

export interface Section {
  readonly title: string;
  readonly measurements: readonly Measurement[];
}

export interface BenchOptions {
  /** Path of another checkout to compare with. */
  readonly against: string | undefined;
  readonly rounds: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length === 0
    ? Number.NaN
    : ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
};

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** A measurement with its goal, if it has one. */
export const atMost = (name: string, value: number, unit: string, goal?: number): Measurement => ({
  ...{ name, value, unit },
  ...(goal !== undefined && { goal: `≤ ${goal}`, met: value <= goal }),
});

/** Rows in columns: names to the left, numbers to the right. */
const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
};

export const table = ({ title, measurements }: Section): string => {
  const rows = measurements.map(({ name, value, unit, goal, met }) => [
    name,
    `${shownNumber(value)} ${unit}`.trim(),
    goal === undefined ? '' : `${goal}${met ? '' : '  missed'}`,
  ]);
  return `${title}\n${aligned(rows).replaceAll(/^/gm, '  ')}`;
};

export const shownNumber = (value: number): string => {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
};

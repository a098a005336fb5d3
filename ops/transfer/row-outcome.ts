import type { Difference } from './proof.ts';
import type { Lost, SourceRow } from './row.ts';

/** What became of a row. */
export interface RowOutcome {
  readonly line: number;
  readonly code: string;
  readonly result: 'created' | 'unchanged' | 'conflict' | 'refused';
  /** Why, what of the row was lost, and where it leads elsewhere; empty if there is nothing to say. */
  readonly reason: string;
  readonly lost: readonly Lost[];
  /** Empty unless an import verifies. */
  readonly differences: readonly Difference[];
}

interface Findings {
  readonly reasons?: readonly string[];
  readonly lost?: readonly Lost[] | undefined;
  readonly differences?: readonly Difference[];
}

export const outcome = (
  { line, code }: SourceRow,
  result: RowOutcome['result'],
  { reasons = [], lost = [], differences = [] }: Findings = {},
): RowOutcome => {
  const losses = lost.map(({ field, value }) => `${field}=${value}`).join(', ');
  const all = [
    ...reasons,
    ...(losses === '' ? [] : [`left out ${losses}`]),
    ...differences.map(
      ({ device, here, there }) => `on ${device} it leads to ${here}, at its source to ${there}`,
    ),
  ];
  return { line, code, result, reason: all.join('; '), lost, differences };
};

export interface ImportTotals extends Record<RowOutcome['result'], number> {
  /** Rows that lost a value, of those created or unchanged; only of an import that verifies, as the next one. */
  lost?: number;
  /** Rows that lead elsewhere than at their source, of those created or unchanged. */
  elsewhere?: number;
}

/** No rows yet. */
export const noRows = (verify = false): ImportTotals => ({
  ...{ created: 0, unchanged: 0, conflict: 0, refused: 0 },
  ...(verify && { lost: 0, elsewhere: 0 }),
});

export const countRow = (totals: ImportTotals, { result, lost, differences }: RowOutcome): void => {
  totals[result] += 1;
  if (result === 'conflict' || result === 'refused') return;
  if (totals.lost !== undefined && lost.length > 0) totals.lost += 1;
  if (totals.elsewhere !== undefined && differences.length > 0) totals.elsewhere += 1;
};

/** Whether every link of the file is here and leads where it led. */
export const isClean = ({ conflict, refused, elsewhere = 0 }: ImportTotals): boolean =>
  conflict + refused + elsewhere === 0;

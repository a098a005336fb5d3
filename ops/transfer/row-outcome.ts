import type { SourceRow } from './row.ts';

/** What became of a row. */
export interface RowOutcome {
  readonly line: number;
  readonly code: string;
  readonly result: 'created' | 'unchanged' | 'conflict' | 'refused';
  /** Why, and what of the row has no place here; empty if there is nothing to say. */
  readonly reason: string;
}

export const outcome = (
  { line, code }: SourceRow,
  result: RowOutcome['result'],
  reasons: readonly string[] = [],
): RowOutcome => ({ line, code, result, reason: reasons.join('; ') });

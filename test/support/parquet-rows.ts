import type { ExportedRow } from '../../local/testing/parquet-rows.ts';

/** Rows without repeats, like the view of docs/export.md: one per shard and position. */
export const withoutRepeats = (rows: readonly ExportedRow[]): ExportedRow[] => [
  ...new Map(rows.map((row) => [`${row.shard} ${row.position}`, row])).values(),
];

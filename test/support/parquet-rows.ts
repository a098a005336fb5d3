import type { ExportedRow } from '../../local/testing/parquet-rows.ts';

/** What the view of docs/export.md leaves: one row for each shard and position. */
export const withoutRepeats = (rows: readonly ExportedRow[]): ExportedRow[] => [
  ...new Map(rows.map((row) => [`${row.shard} ${row.position}`, row])).values(),
];

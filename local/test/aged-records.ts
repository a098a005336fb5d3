import { DatabaseSync } from 'node:sqlite';

/** Dates the stream records of a table, or of all, back in an engine's file: as if the stack had been off for that long. */
export function ageRecords(file: string, tableName: string | undefined, seconds: number): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  database
    .prepare('UPDATE changes SET second = second - ? WHERE table_name = ifnull(?, table_name)')
    .run(seconds, tableName ?? null);
  database.close();
}

import type { DatabaseSync } from 'node:sqlite';
import { keptSeconds } from '../tables/record-time.ts';

const hourMs = 60 * 60 * 1000;

/**
 * Keeps Dynoxide's stream records fast and bounded: the engine scans for the last record at every write and
 * never trims. This is only for speed; on an engine that stores its records differently, or a Node without
 * SQLite, nothing happens.
 */
export function tendStreamRecords(file: string): () => void {
  quietly(file, (database) => {
    database.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
    );
  });
  trim(file);
  const timer = setInterval(trim, hourMs, file);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Drops the records that DynamoDB would keep no longer. The engine numbers a record after the last
 * one it finds, so a table's last record stays: without it the numbers would start again.
 */
export function trim(file: string, now = Date.now()): void {
  quietly(file, (database) => {
    const expired = database.prepare(
      `DELETE FROM _stream_records WHERE id IN (
         SELECT id FROM _stream_records WHERE created_at < ?
         AND id NOT IN (SELECT max(id) FROM _stream_records GROUP BY table_name) LIMIT 1000)`,
    );
    // In small steps: the engine can't write while one runs.
    while (expired.run(Math.floor(now / 1000) - keptSeconds).changes);
  });
}

function quietly(file: string, act: (database: DatabaseSync) => void): void {
  let database: DatabaseSync | undefined;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    database = new DatabaseSync(file, { timeout: 1000 });
    act(database);
  } catch {
    // Only speed is lost.
  } finally {
    database?.close();
  }
}

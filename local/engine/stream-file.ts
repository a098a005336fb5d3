import type { DatabaseSync } from 'node:sqlite';
import { keptSeconds } from '../tables/record-time.ts';

/** A table whose stream is read. */
export interface FollowedTable {
  readonly name: string;
  /** Number of the last record that all of its readers are done with. */
  readonly done: () => number;
}

/** While a step runs, nobody else can write. */
const stepRows = 500;
const stepPauseMs = 20;
/** Until somebody looks again whether a record is old enough. */
const pauseMs = 10_000;

/**
 * Lets Dynoxide find the last record of a stream, for which it looks at every write, by an index. This is only for
 * speed; on an engine that stores its records differently nothing happens.
 */
export function indexStreamRecords(file: string): void {
  try {
    const database = open(file);
    database.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
    );
    database.close();
  } catch {
    // Only speed is lost.
  }
}

/**
 * Drops, step by step, what DynamoDB would keep no longer: Dynoxide keeps its stream records for ever. A record that a
 * reader isn't done with stays, however old it is. Returns a function that ends it.
 */
export function trimStreamRecords(file: string, tables: readonly FollowedTable[]): () => void {
  let database: DatabaseSync | undefined;
  const turn = () => {
    let dropped = 0;
    try {
      database ??= open(file);
      for (const table of tables) dropped += trimStep(database, table);
    } catch {
      // Somebody writes for long: later, then.
    }
    timer = setTimeout(turn, dropped > 0 ? stepPauseMs : pauseMs).unref();
  };
  let timer = setTimeout(turn, pauseMs).unref();
  return () => {
    clearTimeout(timer);
    database?.close();
  };
}

const ofTable = '_stream_records WHERE table_name = :name';
const number = 'CAST(sequence_number AS INTEGER)';

/**
 * Drops some of a table's oldest records. Returns how many. The engine numbers a record after the last one that it
 * finds, so a table's last record stays: without it the numbers would start again.
 */
function trimStep(database: DatabaseSync, { name, done }: FollowedTable): number {
  const horizon = Math.floor(Date.now() / 1000) - keptSeconds;
  const oldest = database
    .prepare(`SELECT created_at FROM ${ofTable} ORDER BY ${number} LIMIT 1`)
    .get({ name });
  if (!oldest || Number(oldest.created_at) >= horizon) return 0;
  const { changes } = database
    .prepare(
      `DELETE FROM _stream_records WHERE created_at < :horizon AND id IN (
         SELECT id FROM ${ofTable} AND ${number} <= :read AND ${number} < (SELECT max(${number}) FROM ${ofTable})
         ORDER BY ${number} LIMIT ${stepRows})`,
    )
    .run({ name, read: done(), horizon });
  return Number(changes);
}

function open(file: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { timeout: 1000 });
  // What a power cut brings back is dropped again.
  database.exec('PRAGMA synchronous = NORMAL');
  return database;
}

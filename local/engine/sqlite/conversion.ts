import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { copyPositions, positionsIn } from '../../event-source-mapping/checkpoint.ts';
import { deletesOf } from './old-deletes.ts';
import { databaseFile } from './stream-file.ts';
import { shardOf } from './streams.ts';
import { schema, store, type Table, Tables } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** The database of 1.2, and its name afterwards. */
const oldFile = (folder: string) => join(folder, 'dynamodb.sqlite');
const keptFile = (folder: string) => `${oldFile(folder)}.1.2`;

/**
 * Converts a folder if it is one of 1.2. It writes new files first, so a killed conversion starts again and a failed
 * one leaves the folder as it was. The files of 1.2 stay unchanged, so the folder can go back to 1.2.
 */
export function convertFolder(folder: string, stackFolder: string): void {
  if (!existsSync(oldFile(folder))) return;
  const file = databaseFile(folder);
  const made = `${file}.new`;
  try {
    drop(made);
    withOld(oldFile(folder), (old) => copy(old, made, stackFolder));
  } catch (error) {
    drop(made);
    rmSync(positionsIn(stackFolder), { recursive: true, force: true });
    throw new Error(reasonOf(error, stackFolder), { cause: error });
  }
  // An earlier database's log would be read as the new one's.
  drop(`${file}-wal`, `${file}-shm`);
  renameSync(made, file);
  renameSync(oldFile(folder), keptFile(folder));
  sync(folder);
}

const drop = (...files: readonly string[]) => {
  for (const file of files) rmSync(file, { force: true });
};

function sync(path: string): void {
  // Windows can't sync folders, and syncs only files open for writing.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Opens the old database exclusively. Its log is merged first, so that one file can be renamed. */
function withOld(file: string, work: (old: DatabaseSync) => void): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const old = new DatabaseSync(file, { timeout: 1000 });
  try {
    old.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    work(old);
    // Restores the state that 1.2 left.
    old.exec('ROLLBACK; PRAGMA journal_mode = WAL');
  } finally {
    old.close();
  }
}

function copy(old: DatabaseSync, made: string, stackFolder: string): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(made);
  try {
    // Synced as a whole, below.
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${schema}; BEGIN`);
    const tables = new Tables(database);
    const isServices = deletesOf(stackFolder);
    const added = new Map<string, number>();
    for (const row of all(old, 'SELECT * FROM _tables')) {
      const table = copyTable(old, row, tables);
      added.set(shardOf(table), copyRecords(old, table, { database, isServices }));
    }
    database.exec('COMMIT');
    const positions = join(stackFolder, 'event-source-mappings');
    copyPositions(positions, positionsIn(stackFolder), (shard) => added.get(shard) ?? 0);
  } finally {
    database.close();
  }
  sync(made);
}

const all = (database: DatabaseSync, sql: string, ...values: string[]): Iterable<Row> =>
  database.prepare(sql).iterate(...values) as Iterable<Row>;

function copyTable(old: DatabaseSync, row: Row, tables: Tables): Table {
  const json = (column: string) => (row[column] ? JSON.parse(String(row[column])) : undefined);
  const name = String(row.table_name);
  const table = tables.create(
    {
      TableName: name,
      KeySchema: json('key_schema'),
      AttributeDefinitions: json('attribute_definitions'),
      BillingMode: row.billing_mode,
      GlobalSecondaryIndexes: json('gsi_definitions'),
      LocalSecondaryIndexes: json('lsi_definitions'),
      ...(row.stream_enabled === 1 && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: row.stream_view_type },
      }),
    },
    row.stream_label === null ? undefined : String(row.stream_label),
  );
  if (row.ttl_enabled === 1) tables.setTtl(table, String(row.ttl_attribute));
  const made = tables.of(name);
  for (const { item_json: item } of all(old, `SELECT item_json FROM "${name.replaceAll('"', '""')}"`))
    store(made, JSON.parse(String(item)));
  return made;
}

interface Destination {
  readonly database: DatabaseSync;
  readonly isServices: ReturnType<typeof deletesOf>;
}

/**
 * Copies a table's stream. 1.2 numbers the records of each table from 1, this engine those of all tables together.
 * Returns the offset that was added to the numbers.
 */
function copyRecords(old: DatabaseSync, table: Table, { database, isServices }: Destination): number {
  const added = Number(database.prepare('SELECT ifnull(max(number), 0) AS last FROM changes').get()?.last);
  const keep = database.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const records = all(
    old,
    'SELECT * FROM _stream_records WHERE table_name = ? ORDER BY CAST(sequence_number AS INTEGER)',
    table.name,
  );
  for (const row of records) {
    const text = (column: string) => (row[column] === null ? null : String(row[column]));
    const second = Number(row.created_at);
    keep.run(
      added + Number(row.sequence_number),
      table.name,
      String(row.event_name),
      String(row.keys_json),
      text('new_image'),
      text('old_image'),
      second,
      text('user_identity') ?? (isServices(table, row, second) ? service : null),
    );
  }
  return added;
}

const service = JSON.stringify({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });

/** SQLite's error codes that a user can act on. */
const reasons: Readonly<Record<number, string>> = {
  5: 'another local stack is using it: stop that first',
  13: 'the disk is full',
  // No such table or column.
  1: 'it is older: start 1.2 on it first',
};

function reasonOf(error: unknown, stackFolder: string): string {
  const { errcode, code, message } = error as Error & { errcode?: number; code?: string };
  const reason = reasons[(errcode ?? 0) & 0xff] ?? (code === 'ENOSPC' ? reasons[13] : message);
  return `The data folder ${stackFolder} of version 1.2 is left as it was, because it can't be converted: ${reason}`;
}

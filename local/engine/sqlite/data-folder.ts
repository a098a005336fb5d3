import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inUse, removeOwner, writeOwner } from '../owner-file.ts';
import { databaseFile } from './stream-file.ts';
import { schema } from './tables.ts';

/** SQLite's codes of permanent faults: a file that can't be read or written, is full or damaged. */
const lasting = new Set([8, 10, 11, 13, 14, 26]);
const notWhole = new Set([11, 26]);

const codeOf = (error: unknown): number => (Number((error as { errcode?: unknown })?.errcode) || 0) & 0xff;

export const isLasting = (error: unknown): boolean => lasting.has(codeOf(error));

/** The error of a file that can't be used, as one line; undefined for other errors. */
export function faultOf(folder: string, error: unknown): Error | undefined {
  if (!isLasting(error)) return undefined;
  const code = codeOf(error);
  const cure = notWhole.has(code) ? `. Delete ${folder} or move it away to start empty` : '';
  const { message } = error as Error;
  return new Error(`The DynamoDB engine can't work in ${folder}: ${message}${cure}`, { cause: error });
}

/** Locks the folder. Fails if a running process has the lock; a killed process loses it. */
export function lockFolder(folder: string, stackFolder: string): () => void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const ownerFile = join(folder, 'engine.json');
  const database = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    database.exec('BEGIN EXCLUSIVE');
    writeOwner(ownerFile, process.pid);
  } catch (error) {
    database.close();
    throw faultOf(folder, error) ?? inUse(ownerFile, stackFolder, error);
  }
  return () => {
    removeOwner(ownerFile);
    database.close();
  };
}

/** Opens the file of the tables, and makes it if there is none. */
export function openDatabase(folder: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  // The checkpoint thread briefly blocks writers when it empties the log.
  const database = new DatabaseSync(databaseFile(folder), { timeout: 5000 });
  // NORMAL syncs at checkpoints, not in commits. In a stack another thread makes checkpoints before the log is so long.
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000; ${schema}`,
  );
  const sizes = database.prepare(`SELECT 1 FROM pragma_table_info('changes') WHERE name = 'bytes'`).get();
  // A file of 1.3 has no sizes of records.
  if (!sizes) database.exec('ALTER TABLE changes ADD COLUMN bytes INTEGER');
  return database;
}

import type { DatabaseSync } from 'node:sqlite';
import { isRecord } from '../../base/json-values.ts';
import { heldRecords } from '../held-records.ts';
import { itemTables, scanPrefix } from './item-tables.ts';
import { type ItemWrite, keyText, outcomeOf } from './item-write.ts';
import { unknownForm } from './known-form.ts';
import { type StreamRecords, streamRecords } from './stream-records.ts';
import { SyncedLog, type SyncFile } from './synced-log.ts';
import { Unsure } from './values.ts';

/**
 * Writes items and their stream records into Dynoxide's database, beside the engine.
 *
 * Why two writers of one file are safe:
 *
 * - SQLite lets one connection write at a time, and a transaction shows whole or not at all. Every write here is in one,
 *   which has the lock from its first read on: what it finds is what it changes.
 * - The gateway sends the engine no write while this one writes, and makes none while the engine has one. So nobody waits
 *   for the lock, and writes have one order.
 * - The engine keeps nothing of the file in memory: it looks for an item, and for the last number of a stream, at each
 *   write. SQLite's own memory of pages is dropped when another connection has committed.
 * - What is written is what the engine would have written: whoever can't be sure of that throws `Unsure`, and the engine
 *   makes the write. A random check compares both, and a file of another form than the known one is never written.
 * - The engine syncs the log (WAL) in each commit. Commits here don't, but nobody hears of them before the sync that covers
 *   them: no answer, no read of the item, no reader of the stream. The log is a chain of sums, so a power cut takes an end
 *   of it, of which nobody knows. A commit of the engine syncs what lies before it, too, and so does a checkpoint, before
 *   it moves pages from the log into the file.
 * - Killed processes lose nothing: what is committed is the system's.
 */
export interface EngineWrites {
  /** Makes writes in their order and in one transaction. Undefined: that one is left to the engine. */
  make(writes: readonly ItemWrite[]): readonly (Written | undefined)[];
  /** Makes all writes in one transaction, or none if one can't be made here or its condition isn't met. */
  makeAll(writes: readonly ItemWrite[]): boolean;
  /** Resolves when all that was made is on disk. */
  synced(): Promise<void>;
  /** Whether what is read of an item is on disk. */
  isOnDisk(tableName: string, key: readonly unknown[]): boolean;
  /** Tables may have changed. */
  forgetTables(): void;
  /** Resolves when all that was made is on disk. */
  close(): Promise<void>;
}

export interface Written {
  /** False if the condition isn't met. */
  readonly isMade: boolean;
  /** JSON of the item as it was; null if there was none. */
  readonly before: string | null;
}

export interface EngineFileOptions {
  readonly file: string;
  /** What the engine says of its version. */
  readonly version: string | undefined;
  /** Shared with the stream's readers. */
  readonly held: SharedArrayBuffer;
  /** @default fdatasync */
  readonly sync?: SyncFile;
}

/** The reason, if the engine has to make all writes. */
export function openEngineWrites({ file, version, held, sync }: EngineFileOptions): EngineWrites | string {
  let database: DatabaseSync | undefined;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    database = new DatabaseSync(file, { timeout: 1000 });
    const reason = unknownForm(database, version);
    if (reason === undefined) {
      // NORMAL syncs at checkpoints, not in commits.
      database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT');
      return new FileWrites(database, new SyncedLog(`${file}-wal`, heldRecords(held), sync));
    }
    database.close();
    return reason;
  } catch (error) {
    database?.close();
    return String(error);
  }
}

class FileWrites implements EngineWrites {
  readonly #database: DatabaseSync;
  readonly #log: SyncedLog;
  readonly #tables;
  readonly #newRecords;
  readonly #begin;
  readonly #commit;
  readonly #rollback;

  constructor(database: DatabaseSync, log: SyncedLog) {
    this.#database = database;
    this.#log = log;
    this.#tables = itemTables(database);
    this.#newRecords = streamRecords(database);
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
  }

  make(writes: readonly ItemWrite[]): readonly (Written | undefined)[] {
    return this.#transact((attempt) => writes.map(attempt)) ?? writes.map(() => undefined);
  }

  makeAll(writes: readonly ItemWrite[]): boolean {
    const isMade = this.#transact((attempt) => writes.every((write) => attempt(write)?.isMade) || undefined);
    return isMade ?? false;
  }

  /** Makes nothing of the writes that are attempted, and returns undefined, if that is what comes of them. */
  #transact<Made>(work: (attempt: Attempt) => Made | undefined): Made | undefined {
    try {
      this.#begin.run();
      const items: string[] = [];
      const records = this.#newRecords();
      const made = work((write) => this.#attempt(write, items, records));
      if (made === undefined) {
        this.#rollback.run();
        return undefined;
      }
      this.#log.willCommit(items, records.first);
      this.#commit.run();
      return made;
    } catch {
      // Such as a full disk. Nothing was made, and the engine says why it can't either.
      if (this.#database.isTransaction) this.#rollback.run();
      void this.#log.synced();
      return undefined;
    }
  }

  #attempt(write: ItemWrite, items: string[], records: StreamRecords): Written | undefined {
    try {
      return this.#write(write, items, records);
    } catch (error) {
      if (error instanceof Unsure) return undefined;
      throw error;
    }
  }

  #write(write: ItemWrite, items: string[], records: StreamRecords): Written {
    const name = String(write.input.TableName);
    const table = this.#tables.of(name);
    const key = keyIn(write, table.keys);
    const [pk, sk] = [keyText(key[0]), key.length > 1 ? keyText(key[1]) : ''];
    const row = table.find.get(pk, sk) as { readonly item_json: string } | undefined;
    const before = row?.item_json ?? null;
    const outcome = outcomeOf(write, table, before === null ? undefined : JSON.parse(before));
    if (!outcome) return { isMade: false, before };
    const after = outcome.item ? JSON.stringify(outcome.item) : null;
    if (before === null && after === null) return { isMade: true, before };
    if (table.stream) {
      records.add({
        table: name,
        event: before === null ? 'INSERT' : after === null ? 'REMOVE' : 'MODIFY',
        keys: JSON.stringify(Object.fromEntries(table.keys.map((attribute, i) => [attribute, key[i]]))),
        newImage: table.stream.hasNew ? after : null,
        oldImage: table.stream.hasOld ? before : null,
      });
    }
    if (after === null) table.remove.run(pk, sk);
    else table.put.run(pk, sk, after, outcome.bytes, before === null ? scanPrefix(pk) : '');
    items.push(nameOf(name, key));
    return { isMade: true, before };
  }

  synced(): Promise<void> {
    return this.#log.synced();
  }

  isOnDisk(tableName: string, key: readonly unknown[]): boolean {
    return this.#log.isOnDisk(nameOf(tableName, key));
  }

  forgetTables(): void {
    this.#tables.forget();
  }

  async close(): Promise<void> {
    await this.#log.synced();
    this.#log.close();
    this.#database.close();
  }
}

/** Undefined: it is left to the engine. */
type Attempt = (write: ItemWrite) => Written | undefined;

/** The values of a write's key, partition key first. */
function keyIn({ kind, input: { Item, Key } }: ItemWrite, names: readonly string[]): readonly unknown[] {
  const given = kind === 'Put' ? Item : Key;
  if (!isRecord(given) || (kind !== 'Put' && Object.keys(given).length > names.length))
    throw new Unsure('a key');
  return names.map((name) => given[name]);
}

/** Tells items with keys of texts apart; others aren't written here. */
const nameOf = (table: string, key: readonly unknown[]) =>
  [table, ...key.map((value) => (isRecord(value) ? value.S : ''))].join('\n');

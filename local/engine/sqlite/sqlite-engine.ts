import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ServiceResponse } from '../../base/json-service.ts';
import { Commits, type SyncFile } from './commits.ts';
import { faultOf, lockFolder, openDatabase } from './data-folder.ts';
import { startSweeps, sweep } from './expiry.ts';
import { heldRecords } from './held-records.ts';
import type { Input } from './input.ts';
import { operationsOf } from './operations.ts';
import { Rejected } from './rejected.ts';
import { databaseFile } from './stream-file.ts';
import { Tables } from './tables.ts';
import { startTrimming } from './trimming.ts';
import { Writes } from './writes.ts';

export type { Input } from './input.ts';
export { type StreamFile, streamFileOf } from './stream-file.ts';

/** DynamoDB and its streams in a SQLite file of this process. */
export interface SqliteEngine {
  /** Resolves when everything in the response is on disk. */
  call(operation: string, input: Input): Promise<ServiceResponse>;
  /** Removes items that have expired at `now`, in epoch milliseconds. Resolves to their number. */
  sweep(now: number): Promise<number>;
  /** Resolves when all writes are on disk. */
  close(): Promise<void>;
}

export interface SqliteOptions {
  readonly folder: string;
  /** The stack's data folder, which messages name. @default folder */
  readonly stackFolder?: string;
  /** Shared with readers of the stream file. */
  readonly held: SharedArrayBuffer;
  /** Time between two sweeps for expired items. @default only explicit sweeps */
  readonly sweepMs?: number;
  /** Time between two checks for expired stream records. @default 10000 */
  readonly trimMs?: number;
  /** @default fdatasync */
  readonly sync?: SyncFile;
  /** Receives the reason when data can't be kept any more, such as a full disk. @default thrown, ends the thread */
  readonly onFault?: (error: Error) => void;
}

/** Opens the engine. Throws a one-line Error if the folder is in use or its file can't be read. */
export function openSqliteEngine(options: SqliteOptions): SqliteEngine {
  const { folder, stackFolder = folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder, stackFolder);
  try {
    return openIn(folder, options, unlock);
  } catch (error) {
    unlock();
    throw faultOf(folder, error) ?? error;
  }
}

function openIn(folder: string, options: SqliteOptions, unlock: () => void): SqliteEngine {
  const { sync, onFault = rethrow } = options;
  const held = heldRecords(options.held);
  const database = openDatabase(folder);
  const tables = new Tables(database);
  const fail = (error: unknown) => {
    const fault =
      faultOf(folder, error) ?? new Error(`The DynamoDB engine can't work in ${folder}: ${error}`);
    onFault(fault);
    return fault;
  };
  const log = `${databaseFile(folder)}-wal`;
  const commits = new Commits({ database, log, held, sync, onFault: fail });
  const writes = new Writes(tables, commits, database);
  const operations = operationsOf({ tables, commits, writes, database });
  const sweepAt = (now: number) => sweep(now, { tables, writes, commits });
  const ends = [
    startTrimming({ database, commits, held }, options.trimMs),
    ...(options.sweepMs === undefined ? [] : [startSweeps(options.sweepMs, sweepAt)]),
  ];
  return {
    call: async (operation, input) => {
      try {
        const handle = operations.get(operation);
        if (!handle) throw new Rejected('UnknownOperationException', `The engine has no ${operation}`);
        const { text: found, item } = handle(input);
        const text = typeof found === 'string' ? found : await found;
        const isOnDisk = item === undefined ? commits.isSettled : commits.isOnDisk(item);
        if (!isOnDisk) await commits.settled();
        return { status: 200, text };
      } catch (error) {
        if (!(error instanceof Rejected)) {
          throw faultOf(folder, error) ? fail(error) : error;
        }
        // An error may reveal an item, so the item must be on disk first.
        await commits.settled();
        return refused(error);
      }
    },
    sweep: sweepAt,
    close: () => close(database, commits, [...ends, unlock]),
  };
}

async function close(database: DatabaseSync, commits: Commits, ends: readonly (() => void)[]): Promise<void> {
  const [unlock, ...others] = ends.toReversed();
  for (const end of others) end();
  await commits.close();
  database.close();
  unlock?.();
}

function refused({ type, message, more }: Rejected): ServiceResponse {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  return { status: 400, text: JSON.stringify({ __type, message, ...more }) };
}

/** Throws outside of the call that met the error. */
function rethrow(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { ServiceAnswer } from '../../base/json-service.ts';
import { Commits, type SyncFile } from './commits.ts';
import { convertFolder } from './conversion.ts';
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
  /** Resolves when all that the answer tells is on disk. */
  call(operation: string, input: Input): Promise<ServiceAnswer>;
  /** Removes items whose time to live has passed at this time, in milliseconds. Resolves to how many. */
  sweep(now: number): Promise<number>;
  /** Resolves when all that was written is on disk. */
  close(): Promise<void>;
}

export interface SqliteOptions {
  readonly folder: string;
  /** The stack's data folder, which messages name. @default folder */
  readonly stackFolder?: string;
  /** Shared with those who read the stream from the file. */
  readonly held: SharedArrayBuffer;
  /** Time between two sweeps for expired items. @default there are none but those that are called */
  readonly sweepMs?: number;
  /** Time between two looks for stream records that are too old. @default 10000 */
  readonly trimMs?: number;
  /** @default fdatasync */
  readonly sync?: SyncFile;
  /** Takes why data can't be kept any more, such as a full disk. @default thrown, which ends the thread */
  readonly onFault?: (error: Error) => void;
}

/** Throws one line if the folder is in use or its file can't be read. */
export function openSqliteEngine(options: SqliteOptions): SqliteEngine {
  const { folder, stackFolder = folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder, stackFolder);
  try {
    convertFolder(folder, stackFolder);
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
        // What it tells of an item is on disk, too.
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

function refused({ type, message, more }: Rejected): ServiceAnswer {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  return { status: 400, text: JSON.stringify({ __type, message, ...more }) };
}

/** Outside of the call that met it. */
function rethrow(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

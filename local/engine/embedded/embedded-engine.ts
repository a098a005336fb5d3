import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ServiceAnswer } from '../../base/json-service.ts';
import { keptSeconds } from '../../tables/record-time.ts';
import { heldRecords } from '../held-records.ts';
import { Commits, type SyncFile } from './commits.ts';
import { takeOver } from './from-dynoxide.ts';
import { type Input, Reads } from './reads.ts';
import { invalid, Rejected } from './rejected.ts';
import { arnOf, Streams, streamArnOf } from './streams.ts';
import { schema, type Table, Tables } from './tables.ts';
import { itemName, Writes } from './writes.ts';

/** DynamoDB and its streams in a SQLite file of this process. */
export interface EmbeddedEngine {
  /** Resolves when all that the answer tells is on disk. */
  call(operation: string, input: Input): Promise<ServiceAnswer>;
  /** Resolves when all that was written is on disk. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly folder: string;
  /** Shared with who reads the stream from the file. */
  readonly held: SharedArrayBuffer;
  /** @default fdatasync */
  readonly sync?: SyncFile;
}

export const embeddedFile = (folder: string): string => join(folder, 'tables.sqlite');

export function openEmbedded({ folder, held, sync }: EmbeddedOptions): EmbeddedEngine {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lock(folder);
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const file = embeddedFile(folder);
  const database = new DatabaseSync(file);
  // NORMAL syncs at checkpoints, not in commits.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  const tables = new Tables(database);
  takeOver(folder, database, tables);
  const commits = new Commits(database, `${file}-wal`, heldRecords(held), sync);
  const operations = operationsOf(tables, database, commits);
  const endTrimming = trimRecords(database, commits);
  return {
    call: async (operation, input) => {
      try {
        const handle = operations.get(operation);
        if (!handle) throw new Rejected('UnknownOperationException', '');
        const { text, item } = handle(input);
        if (item === undefined || !commits.isOnDisk(item)) await commits.settled();
        return { status: 200, text };
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        // What it tells of an item is on disk, too.
        await commits.settled();
        return refused(error);
      }
    },
    close: async () => {
      endTrimming();
      await commits.close();
      database.close();
      unlock();
    },
  };
}

function refused({ type, message, more }: Rejected): ServiceAnswer {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  return { status: 400, text: JSON.stringify({ __type, message, ...more }) };
}

/** Another process that has the folder makes it fail; one that was killed doesn't. */
function lock(folder: string): () => void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new Error(
      `Another local stack is using the data folder ${folder}: stop it, or choose another with --data DIR`,
      { cause },
    );
  }
  return () => database.close();
}

/** An answer, and the one item that it tells of. */
interface Answer {
  readonly text: string;
  readonly item?: string;
}

type Handle = (input: Input) => Answer;

function operationsOf(tables: Tables, database: DatabaseSync, commits: Commits): ReadonlyMap<string, Handle> {
  const reads = new Reads(tables, database);
  const writes = new Writes(tables, commits, database);
  const streams = new Streams(tables, database);
  const json =
    (work: (input: Input) => object): Handle =>
    (input) => ({ text: JSON.stringify(work(input)) });
  const text =
    (work: (input: Input) => string): Handle =>
    (input) => ({ text: work(input) });
  const changing = <Made>(work: () => Made): Made => {
    let made: Made | undefined;
    commits.write((batch) => {
      made = work();
      batch.items.add('');
    });
    return made as Made;
  };
  const count = (table: Table) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table.rows}`).get()?.n);
  return new Map<string, Handle>([
    [
      'GetItem',
      (input) => {
        const { table, key, text: found } = reads.get(input);
        return { text: found, item: itemName(table, key) };
      },
    ],
    ['BatchGetItem', text((input) => reads.batch(input))],
    ['TransactGetItems', text((input) => reads.transact(input))],
    ['Query', text((input) => reads.query(input))],
    ['Scan', text((input) => reads.scan(input))],
    ['PutItem', text((input) => writes.single('Put', input))],
    ['UpdateItem', text((input) => writes.single('Update', input))],
    ['DeleteItem', text((input) => writes.single('Delete', input))],
    ['BatchWriteItem', text((input) => writes.batch(input))],
    ['TransactWriteItems', text((input) => writes.transact(input))],
    [
      'CreateTable',
      json((input) => ({
        TableDescription: description(
          changing(() => tables.create(input)),
          0,
        ),
      })),
    ],
    [
      'DescribeTable',
      json(({ TableName }) => {
        const table = tables.of(TableName);
        return { Table: description(table, count(table)) };
      }),
    ],
    [
      'DeleteTable',
      json(({ TableName }) => ({
        TableDescription: description(
          changing(() => tables.drop(TableName)),
          0,
        ),
      })),
    ],
    ['ListTables', json(() => ({ TableNames: tables.names }))],
    [
      'UpdateTimeToLive',
      json(({ TableName, TimeToLiveSpecification: ttl }) => {
        const { Enabled, AttributeName } = ttl as { Enabled?: boolean; AttributeName?: string };
        const { TimeToLive: now = {} } = tables.of(TableName).definition;
        if (((now as { Enabled?: boolean }).Enabled ?? false) === Enabled)
          throw invalid(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
        changing(() => tables.setTtl(TableName, { Enabled, AttributeName }));
        return { TimeToLiveSpecification: { Enabled, AttributeName } };
      }),
    ],
    [
      'DescribeTimeToLive',
      json(({ TableName }) => {
        const { Enabled, AttributeName } = (tables.of(TableName).definition.TimeToLive ?? {}) as Input;
        return {
          TimeToLiveDescription: Enabled
            ? { TimeToLiveStatus: 'ENABLED', AttributeName }
            : { TimeToLiveStatus: 'DISABLED' },
        };
      }),
    ],
    ['ListStreams', json((input) => streams.list(input))],
    ['DescribeStream', json((input) => streams.describe(input))],
    ['GetShardIterator', json((input) => streams.iterator(input))],
    ['GetRecords', json((input) => streams.records(input))],
  ]);
}

function description(table: Table, ItemCount: number): object {
  const {
    BillingMode = 'PROVISIONED',
    LatestStreamLabel,
    ProvisionedThroughput,
    TimeToLive: _,
    ...rest
  } = table.definition;
  const throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0, ...(ProvisionedThroughput as object) };
  const indexed = (name: string) =>
    Array.isArray(rest[name]) && {
      [name]: (rest[name] as { IndexName: string }[]).map((index) => ({
        ...index,
        IndexStatus: 'ACTIVE',
        IndexArn: `${arnOf(table)}/index/${index.IndexName}`,
      })),
    };
  return {
    ...rest,
    ...indexed('GlobalSecondaryIndexes'),
    ...indexed('LocalSecondaryIndexes'),
    TableArn: arnOf(table),
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode },
    ProvisionedThroughput: throughput,
    ItemCount,
    TableSizeBytes: 0,
    ...(table.stream && { LatestStreamLabel, LatestStreamArn: streamArnOf(table) }),
  };
}

const trimStep = 500;
const trimPauseMs = 10_000;

/** Drops, step by step, what DynamoDB would keep no longer. Records don't age while the engine is off. */
function trimRecords(database: DatabaseSync, commits: Commits): () => void {
  const begun = Date.now() / 1000;
  const newest = Number(database.prepare('SELECT max(number) AS number FROM changes').get()?.number ?? 0);
  const drop = database.prepare(
    'DELETE FROM changes WHERE number IN (SELECT number FROM changes WHERE number > ? AND second < ? ORDER BY number LIMIT ?)',
  );
  const oldest = database.prepare('SELECT second FROM changes WHERE number > ? ORDER BY number LIMIT 1');
  const timer = setInterval(() => {
    const horizon = Date.now() / 1000 - keptSeconds;
    const first = oldest.get(begun < horizon ? 0 : newest);
    if (!first || Number(first.second) >= horizon) return;
    commits.write((batch) => {
      const { changes } = drop.run(begun < horizon ? 0 : newest, horizon, trimStep);
      if (changes > 0) batch.items.add('');
    });
  }, trimPauseMs).unref();
  return () => clearInterval(timer);
}

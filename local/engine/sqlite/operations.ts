import type { DatabaseSync } from 'node:sqlite';
import type { Commits } from './commits.ts';
import type { Input } from './input.ts';
import { Pages } from './pages.ts';
import { Reads } from './reads.ts';
import { invalid } from './rejected.ts';
import { Streams, streamArnOf } from './streams.ts';
import { arnOf } from './table-definition.ts';
import { itemName, type Table, type Tables } from './tables.ts';
import { Transactions } from './transactions.ts';
import type { Writes } from './writes.ts';

/** A response, and the only item in it; undefined if it may contain any. */
interface Answer {
  readonly text: string | Promise<string>;
  readonly item?: string;
}

type Handle = (input: Input) => Answer;

interface Parts {
  readonly tables: Tables;
  readonly commits: Commits;
  readonly writes: Writes;
  readonly database: DatabaseSync;
}

/**
 * Parameters that expressions have replaced; unsupported here.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html
 */
const legacy = [
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
];

function mustBeKnown(input: Input): void {
  for (const name of legacy)
    if (input[name] !== undefined && input[name] !== null)
      throw invalid(`The engine has no parameter ${name}: use expressions`);
}

const text =
  (work: (input: Input) => string | Promise<string>): Handle =>
  (input) => {
    mustBeKnown(input);
    return { text: work(input) };
  };

const json = (work: (input: Input) => object): Handle => text((input) => JSON.stringify(work(input)));

/** The engine's operations. A map, because callers may send any name, such as `constructor`. */
export function operationsOf(parts: Parts): ReadonlyMap<string, Handle> {
  return new Map([...itemOperations(parts), ...tableOperations(parts), ...streamOperations(parts)]);
}

function itemOperations({ tables, commits, writes, database }: Parts): [string, Handle][] {
  const reads = new Reads(tables);
  const pages = new Pages(tables, database);
  const transactions = new Transactions(tables, writes, commits);
  const get: Handle = (input) => {
    mustBeKnown(input);
    const { table, key, text: found } = reads.get(input);
    return { text: found, item: itemName(table, key) };
  };
  return [
    ['GetItem', get],
    ['BatchGetItem', text((input) => reads.batch(input))],
    ['TransactGetItems', text((input) => reads.transact(input))],
    ['Query', text((input) => pages.query(input))],
    ['Scan', text((input) => pages.scan(input))],
    ['PutItem', text((input) => writes.single('Put', input))],
    ['UpdateItem', text((input) => writes.single('Update', input))],
    ['DeleteItem', text((input) => writes.single('Delete', input))],
    ['BatchWriteItem', text((input) => writes.batch(input))],
    ['TransactWriteItems', text((input) => transactions.write(input))],
  ];
}

function tableOperations({ tables, commits, database }: Parts): [string, Handle][] {
  const changed = <Made>(work: () => Made): Made => {
    let made: Made | undefined;
    commits.write(() => {
      made = work();
    });
    // Set, as `write` has not thrown.
    return made as Made;
  };
  const count = (table: Table) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table.rows}`).get()?.n);
  return [
    [
      'CreateTable',
      json((input) => ({
        TableDescription: described(
          changed(() => tables.create(input)),
          0,
        ),
      })),
    ],
    [
      'DescribeTable',
      json(({ TableName }) => {
        const table = tables.of(TableName);
        return { Table: described(table, count(table)) };
      }),
    ],
    [
      'DeleteTable',
      json(({ TableName }) => {
        const table = tables.of(TableName);
        return {
          TableDescription: {
            ...described(
              changed(() => tables.drop(table)),
              0,
            ),
            TableStatus: 'DELETING',
          },
        };
      }),
    ],
    ['ListTables', json((input) => listed(tables.names, input))],
    [
      'UpdateTimeToLive',
      json(({ TableName, TimeToLiveSpecification: given }) => {
        const table = tables.of(TableName);
        const { Enabled, AttributeName } = (given ?? {}) as { Enabled?: boolean; AttributeName?: string };
        if ((table.ttl !== undefined) === Enabled)
          throw invalid(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
        changed(() => tables.setTtl(table, Enabled ? AttributeName : undefined));
        return { TimeToLiveSpecification: { Enabled, AttributeName } };
      }),
    ],
    [
      'DescribeTimeToLive',
      json(({ TableName }) => {
        const { ttl: AttributeName } = tables.of(TableName);
        const TimeToLiveStatus = AttributeName === undefined ? 'DISABLED' : 'ENABLED';
        return { TimeToLiveDescription: { TimeToLiveStatus, AttributeName } };
      }),
    ],
  ];
}

function streamOperations({ tables, database }: Parts): [string, Handle][] {
  const streams = new Streams(tables, database);
  return [
    ['ListStreams', json((input) => streams.list(input))],
    ['DescribeStream', json((input) => streams.describe(input))],
    ['GetShardIterator', json((input) => streams.iterator(input))],
    ['GetRecords', text((input) => streams.records(input))],
  ];
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTables.html */
function listed(names: readonly string[], { ExclusiveStartTableName: start, Limit = 100 }: Input): object {
  const rest = names.filter((name) => start === undefined || name > String(start));
  const TableNames = rest.slice(0, Number(Limit));
  return {
    TableNames,
    ...(rest.length > TableNames.length && { LastEvaluatedTableName: TableNames.at(-1) }),
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
function described(table: Table, ItemCount: number): object {
  const { BillingMode = 'PROVISIONED', LatestStreamLabel, ProvisionedThroughput, ...rest } = table.definition;
  const indexes = (name: 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes') =>
    rest[name] && {
      [name]: rest[name].map((index) => ({
        ...index,
        IndexStatus: 'ACTIVE',
        IndexArn: `${arnOf(table)}/index/${index.IndexName}`,
      })),
    };
  const { TimeToLive: _, ...shown } = rest;
  return {
    ...shown,
    ...indexes('GlobalSecondaryIndexes'),
    ...indexes('LocalSecondaryIndexes'),
    TableArn: arnOf(table),
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode },
    ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, ...ProvisionedThroughput },
    ItemCount,
    TableSizeBytes: 0,
    ...(table.stream && { LatestStreamLabel, LatestStreamArn: streamArnOf(table) }),
  };
}

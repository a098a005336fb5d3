import type { DatabaseSync } from 'node:sqlite';
import type { Input } from './reads.ts';
import { invalid, noTable } from './rejected.ts';
import type { Table, Tables } from './tables.ts';

export const arnOf = ({ name }: { readonly name: string }): string =>
  `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

export const streamArnOf = (table: Table): string =>
  `${arnOf(table)}/stream/${table.definition.LatestStreamLabel}`;

const shardOf = ({ name }: Table) => `shardId-00000001-${name}`;

interface Place {
  readonly table: string;
  readonly after: number;
}

/** The API of DynamoDB Streams: each table has one shard. Who reads beside the engine looks into its file. */
export class Streams {
  readonly #tables: Tables;
  readonly #read;
  readonly #newest;

  constructor(tables: Tables, database: DatabaseSync) {
    this.#tables = tables;
    this.#read = database.prepare(
      'SELECT * FROM changes WHERE table_name = ? AND number > ? ORDER BY number LIMIT ?',
    );
    this.#newest = database.prepare('SELECT max(number) AS number FROM changes');
  }

  list({ TableName }: Input): object {
    const names = TableName === undefined ? this.#tables.names : [String(TableName)];
    const tables = names.map((name) => this.#tables.of(name)).filter(({ stream }) => stream);
    return {
      Streams: tables.map((table) => ({
        StreamArn: streamArnOf(table),
        TableName: table.name,
        StreamLabel: table.definition.LatestStreamLabel,
      })),
    };
  }

  describe({ StreamArn, ExclusiveStartShardId }: Input): object {
    const table = this.#tableOf(StreamArn);
    const shard = { ShardId: shardOf(table), SequenceNumberRange: { StartingSequenceNumber: '0' } };
    return {
      StreamDescription: {
        StreamArn,
        StreamLabel: table.definition.LatestStreamLabel,
        StreamStatus: 'ENABLED',
        StreamViewType: table.stream?.view,
        CreationRequestDateTime: table.definition.CreationDateTime,
        TableName: table.name,
        KeySchema: table.definition.KeySchema,
        Shards: ExclusiveStartShardId === undefined ? [shard] : [],
      },
    };
  }

  iterator({ StreamArn, ShardIteratorType: type, SequenceNumber }: Input): object {
    const table = this.#tableOf(StreamArn);
    const number = Number(SequenceNumber ?? 0);
    const places: Readonly<Record<string, number>> = {
      TRIM_HORIZON: 0,
      LATEST: Number(this.#newest.get()?.number ?? 0),
      AT_SEQUENCE_NUMBER: number - 1,
      AFTER_SEQUENCE_NUMBER: number,
    };
    const after = places[String(type)];
    if (after === undefined) throw invalid(`There is no ShardIteratorType ${type}`);
    return { ShardIterator: written({ table: table.name, after }) };
  }

  records({ ShardIterator, Limit = 1000 }: Input): object {
    const { table, after } = read(ShardIterator);
    const { stream } = this.#tables.of(table);
    const rows = this.#read.all(table, after, Number(Limit));
    const Records = rows.map((row) => ({
      eventName: row.event,
      ...(row.identity !== null && { userIdentity: JSON.parse(String(row.identity)) }),
      dynamodb: {
        ApproximateCreationDateTime: row.second,
        Keys: JSON.parse(String(row.keys)),
        ...(row.new_image !== null && { NewImage: JSON.parse(String(row.new_image)) }),
        ...(row.old_image !== null && { OldImage: JSON.parse(String(row.old_image)) }),
        SequenceNumber: String(row.number),
        StreamViewType: stream?.view,
      },
    }));
    const last = Number(rows.at(-1)?.number ?? after);
    return { Records, NextShardIterator: written({ table, after: last }) };
  }

  #tableOf(arn: unknown): Table {
    const [, name] = String(arn).split('/');
    const table = this.#tables.of(name);
    if (!table.stream || streamArnOf(table) !== arn) throw noTable(arn);
    return table;
  }
}

const written = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64');

function read(iterator: unknown): Place {
  try {
    return JSON.parse(Buffer.from(String(iterator), 'base64').toString());
  } catch {
    throw invalid('Invalid ShardIterator');
  }
}

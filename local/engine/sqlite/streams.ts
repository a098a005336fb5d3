import type { DatabaseSync } from 'node:sqlite';
import type { Input } from './input.ts';
import { invalid, Rejected } from './rejected.ts';
import { type RecordRow, selectRecords } from './stream-file.ts';
import { arnOf } from './table-definition.ts';
import type { Table, Tables } from './tables.ts';

export const streamArnOf = (table: Table): string =>
  `${arnOf(table)}/stream/${table.definition.LatestStreamLabel}`;

const shardOf = ({ name }: Table) => `shardId-00000001-${name}`;

/** Where an iterator continues. */
interface Place {
  readonly table: string;
  readonly after: number;
}

/** The API of DynamoDB Streams; each table has one shard. */
export class Streams {
  readonly #tables: Tables;
  readonly #read;
  readonly #newest;

  constructor(tables: Tables, database: DatabaseSync) {
    this.#tables = tables;
    this.#read = database.prepare(selectRecords);
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
    const { LatestStreamLabel: StreamLabel, CreationDateTime, KeySchema } = table.definition;
    const shard = { ShardId: shardOf(table), SequenceNumberRange: { StartingSequenceNumber: '0' } };
    return {
      StreamDescription: {
        StreamArn,
        StreamLabel,
        StreamStatus: 'ENABLED',
        StreamViewType: table.stream?.view,
        CreationRequestDateTime: CreationDateTime,
        TableName: table.name,
        KeySchema,
        Shards: ExclusiveStartShardId === undefined ? [shard] : [],
      },
    };
  }

  iterator({ StreamArn, ShardIteratorType: type, SequenceNumber }: Input): object {
    const table = this.#tableOf(StreamArn);
    const number = Number(SequenceNumber ?? 0);
    const places = new Map([
      ['TRIM_HORIZON', 0],
      ['LATEST', Number(this.#newest.get()?.number ?? 0)],
      ['AT_SEQUENCE_NUMBER', number - 1],
      ['AFTER_SEQUENCE_NUMBER', number],
    ]);
    const after = places.get(String(type));
    if (after === undefined) throw invalid(`There is no ShardIteratorType ${type}`);
    return { ShardIterator: written({ table: table.name, after }) };
  }

  /** Records as JSON; images stay as stored. */
  records({ ShardIterator, Limit = 1000 }: Input): string {
    const { table, after } = read(ShardIterator);
    const view = this.#tables.of(table).stream?.view ?? '';
    // Rows of this query have these columns.
    const rows = this.#read.all(table, after, Number(Limit)) as unknown as readonly RecordRow[];
    const next = written({ table, after: rows.at(-1)?.number ?? after });
    return `{"Records":[${rows.map((row) => recordJson(row, view)).join()}],"NextShardIterator":"${next}"}`;
  }

  #tableOf(arn: unknown): Table {
    const [, name = ''] = String(arn).split('/');
    const table = this.#tables.find(name);
    if (table?.stream && streamArnOf(table) === arn) return table;
    throw new Rejected('ResourceNotFoundException', `Requested resource not found: Stream: ${arn} not found`);
  }
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html */
function recordJson({ number, event, identity, second, ...row }: RecordRow, view: string): string {
  const part = (name: string, json: string | null) => (json === null ? '' : `"${name}":${json},`);
  const id = number.toString(16).padStart(32, '0');
  const about = `"eventID":"${id}","eventName":"${event}","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1"`;
  const images = part('Keys', row.keys) + part('NewImage', row.new_image) + part('OldImage', row.old_image);
  const rest = `"ApproximateCreationDateTime":${second},"SequenceNumber":"${number}","StreamViewType":"${view}"`;
  return `{${about},${part('userIdentity', identity)}"dynamodb":{${images}${rest}}}`;
}

const written = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64');

function read(iterator: unknown): Place {
  try {
    return JSON.parse(Buffer.from(String(iterator), 'base64').toString());
  } catch {
    throw invalid('Invalid ShardIterator');
  }
}

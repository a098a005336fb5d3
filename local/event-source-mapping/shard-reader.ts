import { engineClient } from '../engine/engine-client.ts';
import { openStreamFile, type StreamFile } from '../engine/sqlite/stream-file.ts';
import { type ReadShard, readEngine, readFile } from './shard-records.ts';
import { type EngineRecord, type StreamRecord, streamRecords } from './stream-record.ts';

export interface ReadRecord {
  /** The engine's spelling of its number. */
  readonly number: string;
  /** The record as functions receive it. */
  readonly record: StreamRecord;
}

interface Page {
  readonly records: readonly ReadRecord[];
  /** Whether more may be available. */
  readonly isFull: boolean;
  /** Whether the shard is closed and this is its last page. */
  readonly ended: boolean;
}

export interface ShardReader {
  next(): Promise<Page>;
  /** Continues after the record with this number, or from the oldest one. */
  seek(after: string | undefined): void;
}

/** Reads the shards of one stream; a record is fetched once for all readers. */
export interface StreamReads {
  /** Starts after the record with this number, or with the oldest one. */
  reader(shardId: string, after: string | undefined): ShardReader;
  close(): void;
}

export interface StreamSource {
  readonly endpoint: string;
  /** Access key id of the calls. */
  readonly caller?: string | undefined;
  /** The stream file, to read without the endpoint. */
  readonly stream?: StreamFile | undefined;
  /** The engine's ARN of the stream. */
  readonly streamArn: string;
  /** The ARN that functions see. */
  readonly sourceArn: string;
  /** The most records of one read. @default 1000, DynamoDB's limit */
  readonly pageSize?: number;
}

export function openStreamReads(source: StreamSource): StreamReads {
  const { endpoint, caller, stream, streamArn, sourceArn, pageSize = 1000 } = source;
  const client = engineClient(endpoint, { caller });
  const opened = stream && openStreamFile(stream);
  const tableName = streamArn.split('/')[1] ?? '';
  const shards = new Map<string, SharedShard>();
  const shardOf = (id: string) => {
    const read = opened
      ? readFile(opened, tableName)
      : readEngine(client, { StreamArn: streamArn, ShardId: id });
    const shard = shards.get(id) ?? new SharedShard({ read, sourceArn, id, pageSize });
    shards.set(id, shard);
    return shard;
  };
  return {
    reader: (shardId, start) => {
      const shard = shardOf(shardId);
      let after = start;
      return {
        next: async () => {
          const page = await shard.behind(after);
          after = page.records.at(-1)?.number ?? after;
          return page;
        },
        seek: (position) => {
          after = position;
        },
      };
    },
    close: () => {
      client.close();
      opened?.close();
    },
  };
}

interface ShardOptions {
  readonly read: ReadShard;
  readonly sourceArn: string;
  readonly id: string;
  readonly pageSize: number;
}

/** The number of pages kept for other readers. */
const keptPages = 2;

/**
 * A shard and its last read records, without gaps. Records never change, so later readers get these without a call to
 * the engine. New records are always requested.
 */
class SharedShard {
  readonly #options: ShardOptions;
  readonly #asFunctionsSee: (raw: EngineRecord) => StreamRecord;
  /** Number of the record before the first kept one. */
  #before: string | undefined;
  #kept: ReadRecord[] = [];
  #ended = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ShardOptions) {
    this.#options = options;
    this.#asFunctionsSee = streamRecords(options.sourceArn, options.id);
  }

  /** The records after a number. Calls run serially, because the next may use this one's result. */
  behind(after: string | undefined): Promise<Page> {
    const page = this.#last.then(() => this.#find(after) ?? this.#read(after));
    this.#last = page.catch(() => undefined);
    return page;
  }

  #find(after: string | undefined): Page | undefined {
    const from = this.#indexBehind(after);
    if (from < 0 || (from === this.#kept.length && !this.#ended)) return undefined;
    const { pageSize } = this.#options;
    const records = this.#kept.slice(from, from + pageSize);
    const isLast = from + records.length === this.#kept.length;
    return { records, isFull: records.length === pageSize, ended: isLast && this.#ended };
  }

  #indexBehind(after: string | undefined): number {
    if (after === this.#before) return 0;
    const index = this.#kept.findLastIndex(({ number }) => number === after);
    return index < 0 ? -1 : index + 1;
  }

  async #read(after: string | undefined): Promise<Page> {
    const { read, pageSize } = this.#options;
    if (this.#indexBehind(after) !== this.#kept.length) this.#beginBehind(after);
    const found = await read(after, pageSize);
    this.#ended = found.ended;
    const records = found.records.map((raw) => ({
      number: raw.dynamodb.SequenceNumber,
      record: this.#asFunctionsSee(raw),
    }));
    this.#keep(records);
    return { records, isFull: records.length === pageSize, ended: this.#ended };
  }

  #beginBehind(after: string | undefined): void {
    this.#before = after;
    this.#kept = [];
    this.#ended = false;
  }

  #keep(records: readonly ReadRecord[]): void {
    this.#kept.push(...records);
    const dropped = this.#kept.splice(0, Math.max(0, this.#kept.length - keptPages * this.#options.pageSize));
    this.#before = dropped.at(-1)?.number ?? this.#before;
  }
}

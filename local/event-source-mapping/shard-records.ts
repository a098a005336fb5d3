import { type EngineClient, EngineError } from '../engine/engine-client.ts';
import type { OpenStreamFile } from '../engine/sqlite/stream-file.ts';
import type { EngineRecord } from './stream-record.ts';

interface Read {
  readonly records: readonly EngineRecord[];
  /** Whether the shard is closed and these are its last. */
  readonly ended: boolean;
}

/** Reads a shard in order, after the record with this number or from the oldest one. */
export type ReadShard = (after: string | undefined, limit: number) => Promise<Read>;

/** Reads from the engine's file, which has no shards: the engine has one per table. */
export const readFile =
  (file: OpenStreamFile, tableName: string): ReadShard =>
  async (after, limit) => ({ records: file.recordsOf(tableName, { after, limit }), ended: false });

const lostIterator = ['ExpiredIteratorException', 'TrimmedDataAccessException', 'ValidationException'];

/** Reads with the API of DynamoDB Streams, which every engine has. */
export function readEngine(
  client: EngineClient,
  shard: { readonly StreamArn: string; readonly ShardId: string },
): ReadShard {
  /** Where the engine continues. */
  let next: { readonly after: string | undefined; readonly iterator: string } | undefined;

  const open = async (after: string | undefined): Promise<string> => {
    const from = (position: object) =>
      client.call<{ ShardIterator: string }>('GetShardIterator', { ...shard, ...position });
    try {
      if (after !== undefined) {
        const behind = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
        return (await from(behind)).ShardIterator;
      }
    } catch (error) {
      if (!(error instanceof EngineError) || !lostIterator.includes(error.name)) throw error;
      // The record is trimmed, so the oldest remaining one comes next.
    }
    return (await from({ ShardIteratorType: 'TRIM_HORIZON' })).ShardIterator;
  };

  return async (after, limit) => {
    const iterator = next && next.after === after ? next.iterator : await open(after);
    // Used up, unless the response says where to continue.
    next = undefined;
    const { Records, NextShardIterator } = await client.call<{
      Records: EngineRecord[];
      NextShardIterator?: string;
    }>('GetRecords', { ShardIterator: iterator, Limit: limit });
    const last = Records.at(-1)?.dynamodb.SequenceNumber ?? after;
    if (NextShardIterator !== undefined) next = { after: last, iterator: NextShardIterator };
    return { records: Records, ended: NextShardIterator === undefined };
  };
}

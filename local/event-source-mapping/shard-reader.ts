import { type EngineClient, EngineError } from '../dynamodb/engine-client.ts';
import type { EngineRecord } from './stream-record.ts';

export interface Page {
  readonly records: readonly EngineRecord[];
  /** The shard is closed and this was its last page. */
  readonly ended: boolean;
}

export interface ShardReader {
  next(): Promise<Page>;
  /** Goes on behind the record with this number, or from the oldest one. */
  seek(after: string | undefined): void;
}

const lostIterator = ['ExpiredIteratorException', 'TrimmedDataAccessException', 'ValidationException'];

/** Reads a shard page by page; renews its place in the stream when the engine has lost it. */
export function shardReader(
  client: EngineClient,
  streamArn: string,
  shardId: string,
  start: string | undefined,
): ShardReader {
  let after = start;
  let iterator: string | undefined;

  const open = async (): Promise<string> => {
    const shard = { StreamArn: streamArn, ShardId: shardId };
    const from = (position: object) =>
      client.call<{ ShardIterator: string }>('GetShardIterator', { ...shard, ...position });
    try {
      if (after !== undefined) {
        const behind = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
        return (await from(behind)).ShardIterator;
      }
    } catch (error) {
      if (!(error instanceof EngineError) || !lostIterator.includes(error.name)) throw error;
      // The record is trimmed: the oldest that is left comes next.
    }
    return (await from({ ShardIteratorType: 'TRIM_HORIZON' })).ShardIterator;
  };

  const next = async (): Promise<Page> => {
    iterator ??= await open();
    try {
      const answer = await client.call<{ Records: EngineRecord[]; NextShardIterator?: string }>(
        'GetRecords',
        {
          ShardIterator: iterator,
          Limit: 1000,
        },
      );
      iterator = answer.NextShardIterator;
      after = answer.Records.at(-1)?.dynamodb.SequenceNumber ?? after;
      return { records: answer.Records, ended: iterator === undefined };
    } catch (error) {
      iterator = undefined;
      throw error;
    }
  };
  const seek = (position: string | undefined) => {
    after = position;
    iterator = undefined;
  };
  return { next, seek };
}

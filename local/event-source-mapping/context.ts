import type { EventSourceMapping, TableResource } from '../assembly/assembly.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { WriteCount } from '../table-gateway/write-count.ts';
import type { Checkpoints, ShardPosition } from './checkpoint.ts';
import type { Discarded } from './destination.ts';
import type { StreamReads } from './shard-reader.ts';
import { jsonOf, type StreamRecord } from './stream-record.ts';

/** What every part of a running mapping works with. */
export interface MappingContext {
  readonly mapping: EventSourceMapping;
  readonly table: TableResource;
  readonly client: EngineClient;
  readonly reads: StreamReads;
  /** The engine's ARN of the stream. */
  readonly streamArn: string;
  /** The ARN that functions see. */
  readonly sourceArn: string;
  readonly passes: (record: object) => boolean;
  readonly invoke: (event: StreamEvent) => Promise<InvocationResult>;
  readonly discard: (batch: Discarded) => void;
  readonly checkpoints: Checkpoints;
  /** Without it, shards are read again and again. */
  readonly writes: WriteCount | undefined;
  readonly faults: InjectedFaults;
  readonly stopping: AbortSignal;
  /** In epoch seconds. */
  readonly startedAt: number;
  /** For how many seconds this mapping could have read a record of this second. */
  readonly ageOf: (second: number) => number;
  /** The least time between two reads of a shard that is read to its end. */
  readonly pollMs: number;
  /** The same where many records come in. */
  readonly busyMs: number;
  /** The longest pause between two reads while no write is counted. */
  readonly unseenMs: number;
  /** The shortest pause before a failed batch is tried again. */
  readonly retryMs: number;
}

export interface StreamEvent {
  readonly Records: readonly StreamRecord[];
  readonly window?: { readonly start: string; readonly end: string };
  readonly state?: object;
  readonly shardId?: string;
  readonly eventSourceARN?: string;
  readonly isFinalInvokeForWindow?: boolean;
  readonly isWindowTerminatedEarly?: boolean;
}

/** The JSON of an event; that of its records is made once, however many functions they go to. */
export function eventJson({ Records, ...rest }: StreamEvent): string {
  const others = JSON.stringify(rest).slice(1, -1);
  return `{"Records":[${Records.map(jsonOf).join(',')}]${others && `,${others}`}}`;
}

/** Faults that AWS has now and then, for tests. Two readers of one shard are two mappings. */
export interface InjectedFaults {
  /** How many of the available records the next batch takes. */
  readonly cut?: (available: number) => number;
  /** The function ran, but its result is lost. */
  readonly loseAnswer?: () => boolean;
  /** One of the earlier positions, to deliver from there again. */
  readonly rewind?: (passed: readonly ShardPosition[]) => ShardPosition | undefined;
  /** The shard that a record is said to come from. */
  readonly shardOf?: (record: StreamRecord, shardId: string) => string;
}

/** A record on its way to the function. */
export interface Pending {
  readonly record: StreamRecord;
  readonly shardId: string;
  /** The engine's spelling of the record's number. */
  readonly number: string;
}

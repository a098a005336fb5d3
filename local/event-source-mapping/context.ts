import type { EventSourceMapping, TableResource } from '../assembly/assembly.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { WriteCount } from '../table-gateway/write-count.ts';
import type { Checkpoints, ShardPosition } from './checkpoint.ts';
import type { Discarded } from './destination.ts';
import type { StreamReads } from './shard-reader.ts';
import { jsonOf, type StreamRecord } from './stream-record.ts';

/** The context of a running mapping, shared by its parts. */
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
  /** The count of writes; without it, shards are polled. */
  readonly writes: WriteCount | undefined;
  readonly faults: InjectedFaults;
  readonly stopping: AbortSignal;
  /** Start of the mapping in epoch seconds. */
  readonly startedAt: number;
  /** Age of a record of this second: seconds in which this mapping could have read it. */
  readonly ageOf: (second: number) => number;
  /** Minimum milliseconds between two reads of a shard that has been read to its end. */
  readonly pollMs: number;
  /** The minimum under load. */
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

/** The JSON of an event. Its records' JSON is made once for all functions. */
export function eventJson({ Records, ...rest }: StreamEvent): string {
  const others = JSON.stringify(rest).slice(1, -1);
  return `{"Records":[${Records.map(jsonOf).join(',')}]${others && `,${others}`}}`;
}

/** Faults as they occur on AWS, for tests. Two readers of one shard are two mappings. */
export interface InjectedFaults {
  /** The number of available records that the next batch takes. */
  readonly cut?: (available: number) => number;
  /** Whether the result of an invocation is lost. */
  readonly loseAnswer?: () => boolean;
  /** An earlier position from which to deliver again. */
  readonly rewind?: (passed: readonly ShardPosition[]) => ShardPosition | undefined;
  /** The shard that a record claims to come from. */
  readonly shardOf?: (record: StreamRecord, shardId: string) => string;
}

/** A record on its way to the function. */
export interface Pending {
  readonly record: StreamRecord;
  readonly shardId: string;
  /** The engine's spelling of the record's number. */
  readonly number: string;
}

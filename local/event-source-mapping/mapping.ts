import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSourceMapping, TableResource } from '../assembly/assembly.ts';
import { engineClient } from '../engine/engine-client.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { WriteCount } from '../table-gateway/write-count.ts';
import { openCheckpoints, positionsIn } from './checkpoint.ts';
import type { InjectedFaults, MappingContext, StreamEvent } from './context.ts';
import {
  type Discarded,
  type InvocationRecord,
  invocationRecord,
  writeInvocationRecord,
} from './destination.ts';
import { compileFilters } from './filter.ts';
import { consumeShard, type ShardConsumer } from './shard-consumer.ts';
import { openStreamReads, type StreamReads } from './shard-reader.ts';
import { eventSourceArn } from './stream-record.ts';

export interface EventSourceMappingOptions {
  readonly mapping: EventSourceMapping;
  readonly table: TableResource;
  /** The engine's ARN of the table's stream. */
  readonly streamArn: string;
  readonly endpoint: string;
  /** Access key id of the calls. */
  readonly caller?: string | undefined;
  /** Folder for positions and discarded batches. @default nothing is kept */
  readonly data?: string;
  readonly invoke: (event: StreamEvent) => Promise<InvocationResult>;
  /** Shared with the other mappings of the stream. @default its own */
  readonly reads?: StreamReads;
  /** Minimum milliseconds between two reads of a shard that has been read to its end; 250 on AWS. @default 50 */
  readonly pollMs?: number;
  /** The minimum under load. @default 800 */
  readonly busyMs?: number;
  /** Counts the table's writes: a shard is read only after one. @default it is polled */
  readonly writes?: WriteCount | undefined;
  /** Longest pause in milliseconds while no write is counted, to find uncounted ones. @default 1000 */
  readonly unseenMs?: number;
  /** Shortest back-off in milliseconds after a failed batch. @default 100 */
  readonly retryMs?: number;
  /** Receives the records of the on-failure destination. */
  readonly onDiscard?: (record: InvocationRecord) => void;
  readonly faults?: InjectedFaults;
}

export interface RunningMapping {
  /** Delivers all earlier changes at once, regardless of the batching window; resolves when they are finished. */
  idle(): Promise<void>;
  /** Number of the last record up to which all are finished; 0: none yet. */
  done(): number;
  /** Waits for the running invocation and starts no other. */
  stop(): Promise<void>;
}

/** Number of the last record that all mappings have finished. */
export const doneByAll = (mappings: readonly Pick<RunningMapping, 'done'>[]): number =>
  Math.min(Number.MAX_SAFE_INTEGER, ...mappings.map((mapping) => mapping.done()));

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

/** Time between two searches for new shards, which scan all records. Children of an ended shard are found at once. */
const discoveryMs = 10_000;

/** Reads a table's stream and invokes a function with it, as Lambda does. */
export function startEventSourceMapping(options: EventSourceMappingOptions): RunningMapping {
  const stopping = new AbortController();
  const context = contextOf(options, stopping.signal);
  const consumers = new Map<string, ShardConsumer>();
  const discover = () => followShards(context, consumers);
  const run = async () => {
    while (!stopping.signal.aborted) {
      await discover().catch(() => undefined);
      const wait = consumers.size === 0 ? 50 : discoveryMs;
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    idle: async () => {
      await discover();
      await Promise.all([...consumers.values()].map((consumer) => consumer.idle()));
    },
    done: () => {
      const numbers = [...consumers.values()].map(({ after }) => Number(after ?? 0));
      return numbers.length === 0 ? 0 : Math.min(...numbers);
    },
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all([...consumers.values()].map(({ finished }) => finished));
      await context.checkpoints.flush();
      context.client.close();
      if (!options.reads) context.reads.close();
    },
  };
}

function contextOf(options: EventSourceMappingOptions, stopping: AbortSignal): MappingContext {
  const { mapping, table, data, streamArn, invoke } = options;
  const sourceArn = eventSourceArn(table, streamArn);
  const startedAt = Math.floor(Date.now() / 1000);
  const begun = performance.now();
  const discard = (batch: Discarded) => {
    if (!mapping.onFailure) return;
    const record = invocationRecord(batch, mapping, table);
    if (data) writeInvocationRecord(data, record);
    options.onDiscard?.(record);
  };
  return {
    mapping,
    table,
    client: engineClient(options.endpoint, { caller: options.caller }),
    reads:
      options.reads ??
      openStreamReads({ endpoint: options.endpoint, caller: options.caller, streamArn, sourceArn }),
    streamArn,
    sourceArn,
    passes: compileFilters(mapping.filters),
    invoke: (event) =>
      invoke(event).catch((error) => ({ ok: false, errorType: 'Error', errorMessage: String(error) })),
    discard,
    checkpoints: openCheckpoints(data && positionsIn(data), mapping.id, sourceArn),
    writes: options.writes,
    faults: options.faults ?? {},
    stopping,
    startedAt,
    // Monotonic time: time before this start, or while the machine slept, doesn't age a record.
    ageOf: (second) => (performance.now() - begun) / 1000 - Math.max(0, second - startedAt),
    pollMs: options.pollMs ?? 50,
    busyMs: options.busyMs ?? 800,
    unseenMs: options.unseenMs ?? 1000,
    retryMs: options.retryMs ?? 100,
  };
}

/** Starts a consumer for every new shard; for a child only once its parent is finished. */
async function followShards(context: MappingContext, consumers: Map<string, ShardConsumer>): Promise<void> {
  const { checkpoints, mapping, stopping } = context;
  if (stopping.aborted) return;
  const shards = await describeShards(context);
  if (stopping.aborted) return;
  const isFirst = shards.every(({ ShardId }) => !checkpoints.get(ShardId));
  const open = shards.filter(({ ShardId }) => !checkpoints.get(ShardId)?.ended);
  for (const { ShardId, ParentShardId } of open) {
    if (consumers.has(ShardId) || open.some((other) => other.ShardId === ParentShardId)) continue;
    if (isFirst && mapping.startingPosition === 'LATEST') {
      checkpoints.save(ShardId, { since: context.startedAt });
    }
    const consumer = consumeShard(ShardId, context);
    consumers.set(ShardId, consumer);
    // The children are waiting.
    consumer.finished.then(() => followShards(context, consumers)).catch(() => undefined);
  }
}

async function describeShards({ client, streamArn }: MappingContext): Promise<readonly Shard[]> {
  const shards: Shard[] = [];
  let last: string | undefined;
  do {
    const { StreamDescription: page } = await client.call<{
      StreamDescription: { Shards?: Shard[]; LastEvaluatedShardId?: string };
    }>('DescribeStream', { StreamArn: streamArn, ...(last && { ExclusiveStartShardId: last }) });
    shards.push(...(page.Shards ?? []));
    last = page.LastEvaluatedShardId;
  } while (last);
  return shards;
}

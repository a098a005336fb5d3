import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSourceMapping, Schedule, TableResource } from './assembly/assembly.ts';
import { runThread } from './base/thread.ts';
import { startCheckpoints } from './engine/sqlite/checkpoints.ts';
import { heldRecords } from './engine/sqlite/held-records.ts';
import { eventJson } from './event-source-mapping/context.ts';
import { doneByAll, type RunningMapping, startEventSourceMapping } from './event-source-mapping/mapping.ts';
import { openStreamReads, type StreamReads } from './event-source-mapping/shard-reader.ts';
import { eventSourceArn } from './event-source-mapping/stream-record.ts';
import type { EventSources, EventSourcesWork, Printed } from './event-sources.ts';
import { accessKeyOf } from './lambda/access-key.ts';
import { createLambdaRuntime, type Invoke, type LambdaRuntime } from './lambda/runtime.ts';
import { startQueues, withQueues } from './sqs/queues.ts';
import { type WriteCount, writeCount } from './table-gateway/write-count.ts';

interface Source {
  readonly table: TableResource;
  readonly streamArn: string;
  /** Reads shared by the stream's mappings. */
  readonly reads: StreamReads;
}

void runThread<EventSourcesWork, EventSources, Printed>(async (work, print) => {
  const { endpoint, mappings } = work;
  const queues = work.queues.queues.length > 0 ? await startQueues(work.queues) : undefined;
  const functions = queues ? withQueues(work.functions, queues.endpoint) : work.functions;
  const sources = openSources(work);
  const lambda = createLambdaRuntime({
    functions,
    tables: { endpoint, control: work.control },
    principalOf: (id) => accessKeyOf(id, work.secret),
    log: (source, text) => print({ source, text }),
  });
  const writes = work.writes && writeCount(work.writes);
  const shared = { sources, lambda, writes };
  const running = mappings.map((mapping) => start(mapping, work, shared));
  const endNoting = noteDone(work, running);
  const endCheckpoints = work.stream && startCheckpoints(work.stream, () => writes?.value ?? 0);
  queues?.deliver(work.queueMappings, lambda.invoke);
  const endSchedules = startSchedules(work.schedules, lambda.invoke);
  const stop = async () => {
    endNoting();
    endSchedules();
    endCheckpoints?.();
    const within = sleep(stopMs);
    // Delivers earlier writes first, as far as time allows; the rest follows the next start.
    await Promise.race([Promise.allSettled(running.map((mapping) => mapping.idle())), within]);
    const stopped = Promise.all([...running, ...(queues ? [queues] : [])].map((one) => one.stop()));
    await Promise.race([stopped, within]);
    // Ends running invocations. They are repeated after the next start.
    await lambda.stop();
    await stopped;
    for (const { reads } of sources.values()) reads.close();
  };
  return { started: { sqsEndpoint: queues?.endpoint }, stop };
});

/** Milliseconds for deliveries when the stack ends. */
const stopMs = 1500;

/** Invokes the targets of rules now, and then at their rates. A failed invocation isn't repeated. */
function startSchedules(schedules: readonly Schedule[], invoke: Invoke): () => void {
  const timers = schedules.map((schedule) => {
    const run = () => void invoke(schedule.functionId, scheduledEvent(schedule)).catch(() => undefined);
    run();
    return setInterval(run, schedule.everyMs);
  });
  return () => timers.forEach(clearInterval);
}

function scheduledEvent({ arn }: Schedule): object {
  const [, , , region = '', account = ''] = arn.split(':');
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: `${new Date().toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {},
  };
}

/** Regularly updates the number of the last record that all mappings have finished: the engine may drop these. */
function noteDone({ stream }: EventSourcesWork, running: readonly RunningMapping[]): () => void {
  if (!stream) return () => undefined;
  const shared = heldRecords(stream.held);
  const note = () => {
    shared.done = BigInt(doneByAll(running));
  };
  const timer = setInterval(note, 1000).unref();
  return () => clearInterval(timer);
}

function openSources(work: EventSourcesWork): ReadonlyMap<string, Source> {
  const { tables, streamArns, endpoint, stream, queues } = work;
  const sources = tables.flatMap((table): [string, Source][] => {
    const streamArn = streamArns.get(table.id);
    if (streamArn === undefined) return [];
    const sourceArn = eventSourceArn(table, streamArn);
    const reads = openStreamReads({ endpoint, caller: queues.operatorKey, stream, streamArn, sourceArn });
    return [[table.id, { table, streamArn, reads }]];
  });
  return new Map(sources);
}

interface Shared {
  readonly sources: ReadonlyMap<string, Source>;
  readonly lambda: LambdaRuntime;
  readonly writes: WriteCount | undefined;
}

function start(
  mapping: EventSourceMapping,
  { endpoint, data, queues }: EventSourcesWork,
  { sources, lambda, writes }: Shared,
): RunningMapping {
  const source = sources.get(mapping.tableId);
  if (!source) throw new Error(`${mapping.id}: the engine has no stream of ${mapping.tableId}`);
  return startEventSourceMapping({
    mapping,
    ...source,
    endpoint,
    caller: queues.operatorKey,
    ...(data && { data }),
    invoke: (event) => lambda.invokeWithJson(mapping.functionId, eventJson(event)),
    writes,
  });
}

import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type {
  Assembly,
  EventSourceMapping,
  FunctionResource,
  QueueMapping,
  Schedule,
  TableResource,
} from './assembly/assembly.ts';
import { startThread, type Thread } from './base/thread.ts';
import type { StreamFile } from './engine/sqlite/sqlite-engine.ts';
import type { QueuesOptions, Redelivery } from './sqs/queues.ts';
import { principalsOf, type TableServices } from './table-services.ts';

/** Event source mappings, which follow table changes, messages and time, with their functions. */
export interface EventSourcesWork {
  readonly mappings: readonly EventSourceMapping[];
  readonly queueMappings: readonly QueueMapping[];
  readonly schedules: readonly Schedule[];
  readonly queues: QueuesOptions;
  /** The functions that the mappings invoke. */
  readonly functions: readonly FunctionResource[];
  readonly tables: readonly TableResource[];
  /** The engine's stream ARNs by table id. */
  readonly streamArns: ReadonlyMap<string, string>;
  readonly endpoint: string;
  /** The stream file, to read without the endpoint. */
  readonly stream: StreamFile | undefined;
  /** Counts writes, if all of them pass the tables' gateway. */
  readonly writes: SharedArrayBuffer | undefined;
  readonly data?: string | undefined;
  /** Registers ports for table calls, with their callers, at the table gateway. */
  readonly control: MessagePort;
  /** Part of the functions' access keys. */
  readonly secret: string;
}

export interface EventSources {
  /** Endpoint of the queues; undefined if the app has none. */
  readonly sqsEndpoint: string | undefined;
}

/** Output of a function. */
export interface Printed {
  readonly source: string;
  readonly text: string;
}

export interface EventSourcesOptions {
  /** The functions with their complete environment. */
  readonly functions: readonly FunctionResource[];
  readonly data?: string | undefined;
  readonly enforceIam?: boolean | undefined;
  readonly redelivery?: Redelivery | undefined;
  readonly operatorKey?: string | undefined;
  /** Port of the queues. @default a free one */
  readonly queuesPort?: number | undefined;
  /** Receives the functions' output with their names. */
  readonly log: (source: string, text: string) => void;
}

/** Frequent enough for a short test to meet some. */
const defaultRedelivery: Redelivery = { oneIn: 20, seed: 1 };

export function startEventSources(
  assembly: Assembly,
  { endpoint, stream, streamArns, writes, controls, secret }: TableServices,
  {
    functions,
    data,
    log,
    enforceIam = true,
    redelivery = defaultRedelivery,
    operatorKey,
    queuesPort,
  }: EventSourcesOptions,
): Promise<Thread<EventSources>> {
  const { mappings, queueMappings, schedules, tables, queues } = assembly;
  const invoked = new Set([...mappings, ...queueMappings, ...schedules].map(({ functionId }) => functionId));
  const work: EventSourcesWork = {
    mappings,
    queueMappings,
    schedules,
    queues: {
      queues,
      principals: principalsOf(assembly.functions, secret),
      operatorKey,
      enforce: enforceIam,
      redelivery,
      port: queuesPort,
      folder: data && join(data, 'queues'),
    },
    functions: functions.filter(({ id }) => invoked.has(id)),
    tables,
    streamArns,
    endpoint,
    stream,
    writes,
    data,
    control: controls.followers,
    secret,
  };
  return startThread<EventSources, Printed>({
    folder: import.meta.dirname,
    module: 'event-sources-thread',
    data: work,
    transfer: [controls.followers],
    onNote: ({ source, text }) => log(source, text),
  });
}

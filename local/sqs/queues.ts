import { join } from 'node:path';
import type { FunctionResource, QueueMapping, QueueResource } from '../assembly/assembly.ts';
import { queueOrigins } from '../assembly/references.ts';
import { startQueuePoller } from '../event-source-mapping/queue-poller.ts';
import type { Callers } from '../iam/callers.ts';
import { denialsOf } from '../iam/denials.ts';
import type { Principal } from '../iam/policy.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { startSqs } from './endpoint.ts';
import { Queue } from './queue.ts';
import { openQueueFile } from './queue-file.ts';

/** How queues simulate at-least-once delivery: some deleted messages are delivered again. */
export interface Redelivery {
  /** One in this many deleted messages is redelivered; 0: none. */
  readonly oneIn: number;
  /** Seed for the choice of messages. */
  readonly seed: number;
}

export interface QueuesOptions extends Callers {
  readonly queues: readonly QueueResource[];
  readonly enforce: boolean;
  readonly redelivery: Redelivery;
  /** @default a free one */
  readonly port?: number | undefined;
  /** Folder for the messages. @default they are kept in memory */
  readonly folder?: string | undefined;
}

export interface Queues {
  readonly endpoint: string;
  /** Starts to invoke functions with the messages. */
  deliver(mappings: readonly QueueMapping[], invoke: Invoke): void;
  stop(): Promise<void>;
}

/** Opens the queues of a stack, with all remaining messages, and serves SQS's API for them. */
export async function startQueues(options: QueuesOptions): Promise<Queues> {
  const { principals, operatorKey, enforce, port, folder } = options;
  const queues = new Map<string, Queue>();
  const comesAgain = repeats(options.redelivery);
  for (const resource of options.queues) {
    const { deadLetters, arn, id } = resource;
    if (deadLetters && !options.queues.some((one) => one.arn === deadLetters.queueArn))
      throw new Error(`${id}: ${deadLetters.queueArn} isn't a queue of the template`);
    const file = folder === undefined ? undefined : await openQueueFile(join(folder, `${id}.ndjson`));
    const queue = new Queue({
      resource,
      ...(file && { file }),
      ...(deadLetters && { deadLetters: () => queues.get(deadLetters.queueArn) }),
      comesAgain,
    });
    queues.set(arn, queue);
  }
  const all = [...queues.values()];
  const { endpoint, stop } = await startSqs({ queues: all, principals, operatorKey, enforce, port });
  const pollers: { stop(): Promise<void> }[] = [];
  return {
    endpoint,
    deliver: (mappings, invoke) => {
      for (const mapping of mappings) {
        const queue = all.find(({ resource }) => resource.id === mapping.queueId);
        if (!queue) throw new Error(`${mapping.id}: there is no queue ${mapping.queueId}`);
        if (enforce) requireGrants(mapping, queue.resource, principals);
        pollers.push(
          startQueuePoller({ mapping, queue, invoke: (event) => invoke(mapping.functionId, event) }),
        );
      }
    },
    stop: async () => {
      await Promise.all(pollers.map((poller) => poller.stop()));
      await stop();
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}

/** Adds the queues' endpoint and local queue URLs to the functions' environment. */
export function withQueues(functions: readonly FunctionResource[], endpoint: string): FunctionResource[] {
  return functions.map((one) => {
    const environment = Object.entries(one.environment).map(([name, value]) => [
      name,
      value.replaceAll(queueOrigins, endpoint),
    ]);
    return {
      ...one,
      environment: { ...Object.fromEntries(environment), AWS_ENDPOINT_URL_SQS: endpoint },
    };
  });
}

/** Throws, like CloudFormation, if a mapping's function may not read the queue. */
function requireGrants(
  { id, functionId }: QueueMapping,
  { arn }: QueueResource,
  principals: ReadonlyMap<string, Principal>,
): void {
  const denial = denialsOf(principals);
  const key = [...principals].find(([, { name }]) => name === functionId)?.[0] ?? '';
  for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']) {
    const denied = denial(key, { action: `sqs:${action}`, resource: arn });
    if (denied !== undefined) throw new Error(`${id}: ${denied}`);
  }
}

/** A seeded choice (mulberry32). */
function repeats({ oneIn, seed }: Redelivery): () => boolean {
  if (oneIn === 0) return () => false;
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % oneIn === 0;
  };
}

import { hash } from 'node:crypto';
import type { QueueMapping } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import type { InvocationResult } from '../lambda/runtime.ts';
import { attributesOf } from '../sqs/endpoint.ts';
import type { Queue, Received } from '../sqs/queue.ts';

interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, never>>;
  readonly md5OfBody: string;
  readonly eventSource: 'aws:sqs';
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

export interface QueueEvent {
  readonly Records: readonly QueueRecord[];
}

export interface QueuePollerOptions {
  readonly mapping: QueueMapping;
  readonly queue: Queue;
  readonly invoke: (event: QueueEvent) => Promise<InvocationResult>;
}

export interface QueuePoller {
  /** Waits for running invocations and starts no other. */
  stop(): Promise<void>;
}

/** The most messages that Lambda receives in one call. */
const mostReceived = 10;
/** The most bytes of an event's messages; the whole event may have 6 MB. */
const mostBytes = 5 * 1024 * 1024;

/**
 * Invokes a function with a queue's messages, as Lambda does: messages that it has handled are deleted, the
 * others come again after the visibility timeout.
 */
export function startQueuePoller({ mapping, queue, invoke }: QueuePollerOptions): QueuePoller {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const invocations = new Set<Promise<void>>();
  const handle = async (batch: readonly Received[]) => {
    const event = { Records: batch.map((message) => recordOf(message, queue.resource.arn)) };
    const answer = await invoke(event).catch(
      (): InvocationResult => ({ ok: false, errorType: '', errorMessage: '' }),
    );
    const failed = failuresOf(answer, batch, mapping);
    const handled = batch.filter(({ id }) => !failed.has(id));
    await Promise.all(handled.map(({ receipt }) => queue.remove(receipt)));
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (invocations.size >= mapping.maximumConcurrency) await Promise.race([...invocations, stopped]);
      else {
        const batch = await collect(queue, mapping, stopping.signal);
        if (batch.length === 0) continue;
        const invocation: Promise<void> = handle(batch).finally(() => invocations.delete(invocation));
        invocations.add(invocation);
      }
    }
    await Promise.all(invocations);
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** One batch: full, or as large as it is when the batching window ends. Empty if stopped. */
async function collect(queue: Queue, mapping: QueueMapping, stopping: AbortSignal): Promise<Received[]> {
  const batch: Received[] = [];
  let bytes = 0;
  let end = Number.POSITIVE_INFINITY;
  while (!stopping.aborted) {
    const room = Math.floor((mostBytes - bytes) / queue.resource.maximumBytes);
    const most = Math.min(mapping.batchSize - batch.length, room, mostReceived);
    const received = queue.receive(most);
    batch.push(...received);
    for (const { body } of received) bytes += Buffer.byteLength(body);
    if (received.length > 0) end = Math.min(end, Date.now() + mapping.batchingWindowSeconds * 1000);
    const isFull = most === 0 || batch.length === mapping.batchSize;
    const hasEnded = received.length < most && Date.now() >= end;
    if (isFull || hasEnded) return batch;
    await queue.wait(end - Date.now(), stopping);
  }
  return [];
}

function recordOf(message: Received, queueArn: string): QueueRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: attributesOf(message),
    messageAttributes: {},
    md5OfBody: hash('md5', message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

/** Ids of the failed messages. A report that names a message outside the batch fails all. */
function failuresOf(
  answer: InvocationResult,
  batch: readonly Received[],
  { reportBatchItemFailures }: QueueMapping,
): ReadonlySet<unknown> {
  const ids = new Set<unknown>(batch.map(({ id }) => id));
  if (!answer.ok) return ids;
  const { payload } = answer;
  const reported = reportBatchItemFailures && isRecord(payload) ? payload.batchItemFailures : undefined;
  if (!Array.isArray(reported)) return new Set();
  const failed = new Set(reported.map((one) => (isRecord(one) ? one.itemIdentifier : undefined)));
  return [...failed].every((id) => ids.has(id)) ? failed : ids;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { InvocationResult } from '../lambda/runtime.ts';
import type { OpenWindow } from './checkpoint.ts';
import type { MappingContext, Pending, StreamEvent } from './context.ts';
import { batchOutcomeOf, windowStateOf } from './outcome.ts';

const maxStateBytes = 1024 * 1024;

/** The window that a record falls into; a late one falls into the window that is open. */
export function windowOf(
  { record, shardId }: Pending,
  open: OpenWindow | undefined,
  seconds: number,
): OpenWindow {
  const created = record.dynamodb.ApproximateCreationDateTime;
  const start = created - (created % seconds);
  if (open && open.shard === shardId && start <= open.start) return open;
  return { start, shard: shardId, state: {} };
}

export function windowEvent(
  records: readonly Pending[],
  { start, shard, state }: OpenWindow,
  { mapping, sourceArn }: MappingContext,
  final: 'at its end' | 'early' | undefined,
): StreamEvent {
  return {
    Records: records.map(({ record }) => record),
    window: { start: iso(start), end: iso(start + mapping.tumblingWindowSeconds) },
    state,
    shardId: shard,
    eventSourceARN: sourceArn,
    isFinalInvokeForWindow: final !== undefined,
    isWindowTerminatedEarly: final === 'early',
  };
}

/** Makes the last invocation of a window. The shard waits until it succeeds; false if stopped before. */
export async function closeWindow(
  window: OpenWindow,
  context: MappingContext,
  how: 'at its end' | 'early' = 'at its end',
): Promise<boolean> {
  for (let failures = 0; !context.stopping.aborted; failures++) {
    const answer = await context.invoke(windowEvent([], window, context, how));
    if (!batchOutcomeOf(answer, [], context.mapping).failed) return true;
    await backOff(failures, context);
  }
  return false;
}

/** The window with the function's returned state. A state that is too large ends the window early. */
export async function carryOn(
  window: OpenWindow,
  answer: InvocationResult,
  context: MappingContext,
): Promise<OpenWindow> {
  const state = answer.ok ? windowStateOf(answer.payload) : undefined;
  if (!state) return window;
  const next = { ...window, state };
  if (Buffer.byteLength(JSON.stringify(state)) <= maxStateBytes) return next;
  return (await closeWindow(next, context, 'early')) ? { ...window, state: {} } : next;
}

/** Lambda's back-off, scaled to one machine: by default from 100 ms to 5 s. */
export async function backOff(failures: number, { retryMs, stopping }: MappingContext): Promise<void> {
  const wait = retryMs * Math.min(2 ** failures, 50);
  await sleep(wait, undefined, { signal: stopping }).catch(() => undefined);
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

import { setTimeout as sleep } from 'node:timers/promises';
import type { InvocationResult } from '../../lambda/runtime.ts';

/** Answers of event source mappings' functions in tests. */
export const accept = (): InvocationResult => ({ ok: true, payload: null });
export const failed: InvocationResult = { ok: false, errorType: 'Error', errorMessage: 'no' };
export const report = (...identifiers: unknown[]): InvocationResult => ({
  ok: true,
  payload: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});

/** Resolves when the condition holds, or after the given time. */
export async function until(condition: () => boolean, ms = Number.POSITIVE_INFINITY): Promise<void> {
  const begun = Date.now();
  while (!condition() && Date.now() - begun < ms) await sleep(5);
}

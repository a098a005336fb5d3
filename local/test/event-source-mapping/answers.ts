import type { InvocationResult } from '../../lambda/runtime.ts';

/** Answers of event source mappings' functions in tests. */
export const accept = (): InvocationResult => ({ ok: true, payload: null });
export const failed: InvocationResult = { ok: false, errorType: 'Error', errorMessage: 'no' };
export const report = (...identifiers: unknown[]): InvocationResult => ({
  ok: true,
  payload: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});

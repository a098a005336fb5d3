import type { MessagePort } from 'node:worker_threads';

/** What the main thread and a function's thread say to each other. Payloads are JSON, as they are to Lambda. */
export interface Invocation {
  readonly id: string;
  readonly event: string;
  /** Epoch milliseconds at which the time is up. */
  readonly deadline: number;
}

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly error: FunctionError }
  | { readonly kind: 'result'; readonly id: string; readonly payload: string }
  | { readonly kind: 'failure'; readonly id: string; readonly error: FunctionError };

export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stack?: string;
}

export interface WorkerData {
  readonly functionName: string;
  readonly code: string;
  readonly handler: string;
  readonly memoryMb: number;
  /** The tables' address, and the port over which requests to it go. */
  readonly tables: { readonly endpoint: string; readonly port: MessagePort } | undefined;
}

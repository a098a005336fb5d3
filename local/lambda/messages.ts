import type { MessagePort } from 'node:worker_threads';

/** Messages between the main thread and a function's thread. Payloads are JSON, as in Lambda. */
export interface Invocation {
  readonly id: string;
  readonly event: string;
  /** Deadline in epoch milliseconds. */
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
  /** The tables' address, and the port that carries requests to it. */
  readonly tables: { readonly endpoint: string; readonly port: MessagePort } | undefined;
}

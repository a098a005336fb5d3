import type * as z from 'zod';
import type { Fault } from '../core/base/failure.ts';
import type { Calls } from '../ops/console/calls.ts';
import type { Progress } from '../ops/console/progress.ts';
import { port } from './port.ts';

export type Name = keyof Calls;
export type Input<N extends Name> = z.input<Calls[N]['input']>;
export type Output<N extends Name> = Awaited<ReturnType<Calls[N]['run']>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What the server says of a call, with the faults of its fields. */
export class CallError extends Error {
  readonly faults: readonly Fault[];

  constructor(message: string, faults: readonly Fault[]) {
    super(message);
    this.faults = faults;
  }
}

/** Makes a call. Throws an Error with a sentence for people. */
export const call = <N extends Name>(
  name: N,
  input: Input<N>,
  options: CallOptions = {},
): Promise<Output<N>> => port().call(name, input, options);

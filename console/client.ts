import type { Fault } from '../core/base/failure.ts';
import { type CallOptions, type Input, type Name, type Output, port } from './port.ts';

export type { CallOptions, Input, Name, Output } from './port.ts';

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

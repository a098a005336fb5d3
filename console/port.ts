import type * as z from 'zod';
import type { Calls } from '../ops/console/calls.ts';
import type { Progress } from '../ops/console/progress.ts';

export type Name = keyof Calls;
export type Input<N extends Name> = z.input<Calls[N]['input']>;
export type Output<N extends Name> = Awaited<ReturnType<Calls[N]['run']>>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Where the console's calls go: the operators' program, or the public API. */
export interface Port {
  readonly call: <N extends Name>(name: N, input: Input<N>, options: CallOptions) => Promise<Output<N>>;
  /** Whether this console has a call, and a project's role allows it. */
  readonly offers: (name: Name, project?: string) => boolean;
  /** Whether operators use it: only they sort, compare, and are shown commands. */
  readonly isOperators: boolean;
  /** The path of the first view, without a slash at its end. */
  readonly base: string;
  /** Who has signed in. */
  readonly account?: { readonly email: string; readonly signOut: () => Promise<void> };
}

let current: Port | undefined;

/** Chooses the port, before anything is shown. */
export const openPort = (port: Port): void => {
  current = port;
};

export const port = (): Port => {
  if (!current) throw new Error('The console has no port yet');
  return current;
};

import type * as z from 'zod';
import type { Deployment } from '../target.ts';
import type { LinkIndexes } from './link-index.ts';
import type { Progress } from './progress.ts';

/** What the console works on. */
export interface Subject {
  readonly target: Deployment;
  /** What people call the target, such as `stack Links`. */
  readonly name: string;
  /** The flags that name the target on the command line; empty for the default one. */
  readonly flags: string;
}

export interface CallContext extends Subject {
  readonly indexes: LinkIndexes;
  readonly now: Date;
  /** To be called now and then by work that takes long. */
  readonly progress: (progress: Progress) => void;
  /** Aborted when the page no longer waits: it was closed, or somebody stopped the work. */
  readonly signal: AbortSignal;
}

/** One call of the console's page. Not public: page and calls change together. */
export interface Call<Input extends z.ZodType, Output> {
  readonly input: Input;
  readonly run: (input: z.output<Input>, context: CallContext) => Promise<Output>;
  /** Whether it responds with texts for a file, as they are stored. The page shows all others, without marks that turn text around. */
  readonly isFile: boolean;
}

export const call = <Input extends z.ZodType, Output>(
  input: Input,
  run: Call<Input, Output>['run'],
  { isFile = false } = {},
): Call<Input, Output> => ({ input, run, isFile });

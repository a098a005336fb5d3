import * as z from 'zod';
import { readBody } from '../../core/api/request.ts';
import { limits } from '../../core/base/limits.ts';
import { faultMessage } from '../../core/base/messages.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import type { LinkIndexes } from './link-index.ts';
import type { TransferProgress } from './progress.ts';

export interface Subject {
  readonly deployment: DeploymentAccess;
  /** The deployment's displayed name, such as `stack Links`. */
  readonly name: string;
  /** The flags that name the deployment on the command line; empty for the default one. */
  readonly flags: string;
}

export interface CallContext extends Subject {
  readonly indexes: LinkIndexes;
  readonly now: Date;
  /** To be called repeatedly by long work. */
  readonly progress: (progress: TransferProgress) => void;
  /** Aborted when the page is closed or the user stops the work. */
  readonly signal: AbortSignal;
}

/** One call of the console's page. Not public: page and calls change together. */
export interface ConsoleCall<Input extends z.ZodType, Output> {
  readonly input: Input;
  readonly run: (input: z.output<Input>, context: CallContext) => Promise<Output>;
  /** Whether texts are for a file and stay as stored. The page shows all others, without marks of text direction. */
  readonly isFile: boolean;
}

/** An id. A longer one would exceed the table's key size, which fails instead of finding nothing. */
export const id = z.string().min(1).max(limits.name);

/** Twice the depth of the deepest valid value, an entry of a rule's split. */
const depth = 16;

/**
 * Refuses JSON that no call can take, whatever its schema: lone surrogates, which the table can't store, and excessive
 * nesting.
 */
const refuseOdd = (value: unknown, context: z.RefinementCtx, path: readonly string[] = []): void => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: [...path], message });
  if (typeof value === 'string' && !value.isWellFormed()) refuse(faultMessage('notWellFormed'));
  if (typeof value !== 'object' || value === null) return;
  if (path.length > depth) refuse('must be nested less deeply');
  else for (const [name, one] of Object.entries(value)) refuseOdd(one, context, [...path, name]);
};

/** A body of the API in a call. Failures have the API's messages. */
export const body = <Schema extends z.ZodType>(schema: Schema) =>
  z.unknown().transform((value) => readBody(schema, value)) as unknown as z.ZodType<
    z.output<Schema>,
    z.input<Schema>
  >;

export const consoleCall = <Input extends z.ZodType, Output>(
  input: Input,
  run: ConsoleCall<Input, Output>['run'],
  { isFile = false } = {},
): ConsoleCall<Input, Output> => ({
  input: input.superRefine((value, context) => refuseOdd(value, context)),
  run,
  isFile,
});

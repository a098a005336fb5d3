import * as z from 'zod';
import { readBody } from '../../core/api/request.ts';
import { limits } from '../../core/base/limits.ts';
import { faultMessage } from '../../core/base/messages.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import type { LinkIndexes } from './link-index.ts';
import type { TransferProgress } from './progress.ts';

/** What the console works on. */
export interface Subject {
  readonly target: DeploymentAccess;
  /** What people call the target, such as `stack Links`. */
  readonly name: string;
  /** The flags that name the target on the command line; empty for the default one. */
  readonly flags: string;
}

export interface CallContext extends Subject {
  readonly indexes: LinkIndexes;
  readonly now: Date;
  /** To be called now and then by work that takes long. */
  readonly progress: (progress: TransferProgress) => void;
  /** Aborted when the page no longer waits: it was closed, or somebody stopped the work. */
  readonly signal: AbortSignal;
}

/** One call of the console's page. Not public: page and calls change together. */
export interface ConsoleCall<Input extends z.ZodType, Output> {
  readonly input: Input;
  readonly run: (input: z.output<Input>, context: CallContext) => Promise<Output>;
  /** Whether it responds with texts for a file, as they are stored. The page shows all others, without marks that turn text around. */
  readonly isFile: boolean;
}

/** What names something. Longer names fit in no key of the table, which would fail rather than find nothing. */
export const id = z.string().min(1).max(limits.name);

/** The deepest value of a call, an entry of a rule's split, has half as many fields above it. */
const depth = 16;

/**
 * Refuses what JSON can carry and no call can take, whatever its schema says: half character pairs, which the table can't
 * store, and values in values without end.
 */
const refuseOdd = (value: unknown, context: z.RefinementCtx, path: readonly string[] = []): void => {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: [...path], message });
  if (typeof value === 'string' && !value.isWellFormed()) refuse(faultMessage('notWellFormed'));
  if (typeof value !== 'object' || value === null) return;
  if (path.length > depth) refuse('must be nested less deeply');
  else for (const [name, one] of Object.entries(value)) refuseOdd(one, context, [...path, name]);
};

/** A body of the API in a call. It is refused in the API's words. */
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

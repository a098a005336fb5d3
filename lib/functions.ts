import { type Contract, storeOperationsOf, timeoutSecondsOf } from '../core/api/endpoint.ts';
import { entryName } from '../core/api/index.ts';
import { endpointReads, type FunctionContract, type FunctionName, functions } from '../core/functions.ts';

/** How a function runs. */
interface Running {
  /** @default 10 */
  readonly timeoutSeconds?: number | undefined;
  /** @default 512 */
  readonly memorySize?: number;
  /** Whether stack traces name lines of the source, for which Node does more at its start. @default true */
  readonly isMapped?: boolean;
  /** Whether X-Ray follows its requests. @default false */
  readonly isTraced?: boolean;
  /** Whether callers in prod reach it through an alias, which moves to a new version step by step. @default false */
  readonly isReleased?: boolean;
  /** How much is reserved for it, by `reservedConcurrency`, if that is set. @default nothing */
  readonly reserved?: (concurrency: number) => number;
  /** Files beside the code, with their content; read when the function is bundled. */
  readonly files?: () => Readonly<Record<string, string>>;
}

export interface FunctionRow extends FunctionContract, Running {
  /** Names its construct: another id would be another function. */
  readonly id: string;
  /** Entry file below `lambdas/`, without `.ts`. */
  readonly entry: string;
}

/** Turns of the sender of events at once: each makes ten requests, so that a hundred run in all. */
export const senderTurns = 10;

const aQuarter = (concurrency: number) => Math.ceil(concurrency / 4);

const running: Readonly<Record<FunctionName, Running & { readonly id?: string }>> = {
  'aggregate-clicks': { timeoutSeconds: 60 },
  'app-link': { memorySize: 1024, reserved: aQuarter },
  authorize: { isTraced: true, isReleased: true, reserved: aQuarter },
  qr: { memorySize: 1024, reserved: aQuarter },
  'record-clicks': { timeoutSeconds: 60 },
  // Two table calls take most of its time; more memory would make the rest faster and all of it dearer. A visitor
  // waits for its start.
  redirect: { isMapped: false, isReleased: true, reserved: (all) => all },
  'send-events': { timeoutSeconds: 60, reserved: () => senderTurns },
  'sign-in': { isReleased: true },
  // Keeps 1.0.0's construct id: with a new one, a deployment would attach a second reader to the stream.
  'emit-events': { id: 'ExpireLinks', timeoutSeconds: 60 },
  reference: { id: 'Serve', memorySize: 256, isTraced: true, isReleased: true },
  'well-known': { reserved: aQuarter },
  'wrong-method': { isTraced: true, isReleased: true },
};

/** A function beside the API's. */
export const rowOf = (name: FunctionName): FunctionRow => ({
  id: idOf(name),
  entry: name,
  ...functions[name],
  ...running[name],
});

export const endpointRow = (operation: string, contracts: readonly Contract[]): FunctionRow => ({
  id: idOf(entryName(operation)),
  entry: `api/${entryName(operation)}`,
  description: contracts.map(({ method, path, summary }) => `${method} ${path}: ${summary}`).join('; '),
  uses: [...new Set(contracts.flatMap(storeOperationsOf))],
  reads: endpointReads,
  timeoutSeconds: Math.max(...contracts.map(timeoutSecondsOf)),
  isTraced: true,
  isReleased: true,
});

const idOf = (entry: string): string => entry.replace(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());

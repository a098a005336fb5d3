import { type Contract, storeOperationsOf, timeoutSecondsOf } from '../core/api/endpoint.ts';
import { entryName } from '../core/api/index.ts';
import { endpointReads, type FunctionContract, type FunctionName, functions } from '../core/functions.ts';

/** A function's runtime settings. */
interface Running {
  /** @default 10 */
  readonly timeoutSeconds?: number | undefined;
  /** @default 512 */
  readonly memorySize?: number;
  /** Whether stack traces name lines of the source, which slows cold starts. @default true */
  readonly isMapped?: boolean;
  /** Whether X-Ray traces its requests. @default false */
  readonly isTraced?: boolean;
  /** Whether callers in prod use an alias, which shifts gradually to a new version. @default false */
  readonly isReleased?: boolean;
  /** Its reserved concurrency for `reservedConcurrency`, if that is set. @default none */
  readonly reserved?: (concurrency: number) => number;
  /** Additional files with their content, created when the function is bundled. */
  readonly files?: () => Readonly<Record<string, string>>;
}

export interface FunctionRow extends FunctionContract, Running {
  /** The construct's id: another id would create another function. */
  readonly id: string;
  /** Entry file below `lambdas/`, without `.ts`. */
  readonly entry: string;
}

/** Concurrent turns of the webhook sender: each makes ten requests, so up to a hundred run at once. */
export const senderTurns = 10;

const aQuarter = (concurrency: number) => Math.ceil(concurrency / 4);
/** Key lookups at least: with fewer, the calls of a few clients would make the gateway refuse all others. */
const fewestLookups = 25;

const running: Readonly<Record<FunctionName, Running & { readonly id?: string }>> = {
  'aggregate-clicks': { timeoutSeconds: 60 },
  'app-link': { memorySize: 1024, reserved: aQuarter },
  'copy-items': { timeoutSeconds: 20 },
  'forward-clicks': { timeoutSeconds: 60 },
  // Reserved concurrency is for the service's region, which has other calls.
  'standby-redirect': { isMapped: false },
  'standby-well-known': {},
  authorize: {
    isTraced: true,
    isReleased: true,
    reserved: (all) => Math.max(fewestLookups, aQuarter(all)),
  },
  qr: { memorySize: 1024, reserved: aQuarter },
  'record-clicks': { timeoutSeconds: 60 },
  // Two table calls take most of its time, so more memory would cost more than it saves. Visitors wait for cold starts,
  // so it has no maps.
  redirect: { isMapped: false, isReleased: true, reserved: (all) => all },
  'send-events': { timeoutSeconds: 60, reserved: () => senderTurns },
  'sign-in': { isReleased: true },
  // Keeps 1.0.0's construct id: with a new one, a deployment would attach a second reader to the stream.
  'emit-events': { id: 'ExpireLinks', timeoutSeconds: 60 },
  reference: { id: 'Serve', memorySize: 256, isTraced: true, isReleased: true },
  'well-known': { reserved: aQuarter },
};

/** The settings of a function other than an endpoint's. */
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

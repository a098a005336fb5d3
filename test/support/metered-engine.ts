import { setTimeout as delay } from 'node:timers/promises';
import { partitions } from '../../core/table/keys.ts';
import { startEngineProxy } from '../../local/testing.ts';

/** One call of the DynamoDB API. */
export interface MeteredCall {
  readonly action: string;
  /** Access key id of the caller, by which the local stack names its functions. */
  readonly caller: string;
  /** Capacity units as the engine accounts for them. */
  readonly reads: number;
  readonly writes: number;
  /** Milliseconds, on the process's clock. */
  readonly start: number;
  readonly end: number;
}

export interface MeteredEngine {
  readonly endpoint: string;
  /** Takes the calls since the last time. */
  take(): MeteredCall[];
  stop(): Promise<void>;
}

interface MeterOptions {
  readonly delayMs?: number;
  /** Whether queries of takedowns count. */
  readonly withTakedowns?: boolean;
}

const metered =
  /^(GetItem|BatchGetItem|Query|PutItem|UpdateItem|DeleteItem|TransactWriteItems|TransactGetItems)$/;
/** Queries of takedowns. A function makes one every few seconds, for no particular request. */
const isRemembered = (body: string): boolean =>
  [partitions.suspended, partitions.blocked].some((PK) => body.includes(`{":all":{"S":"${PK}"}}`));

const writing = /^(Put|Update|Delete|TransactWrite)/;

/**
 * A proxy in front of an engine that requests and records each call's consumed capacity. It delays every call, so that
 * concurrent calls certainly overlap and sequential ones don't.
 */
export const startMeteredEngine = async (
  endpoint: string,
  { delayMs = 0, withTakedowns = false }: MeterOptions = {},
): Promise<MeteredEngine> => {
  let calls: MeteredCall[] = [];
  const proxy = await startEngineProxy(endpoint, async ({ operation: action, caller, body }, forward) => {
    if (!metered.test(action) || (!withTakedowns && isRemembered(body.toString()))) return forward();
    const start = performance.now();
    if (delayMs > 0) await delay(delayMs);
    const asked = { ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'TOTAL' };
    const answer = await forward(Buffer.from(JSON.stringify(asked)));
    const units = unitsOf(answer.body.toString());
    const isWrite = writing.test(action);
    const [reads, writes] = isWrite ? [0, units] : [units, 0];
    calls.push({ action, caller, reads, writes, start, end: performance.now() });
    return answer;
  });
  return {
    ...proxy,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
};

/** The number of sequential calls: the longest chain in which each began after the previous ended. */
export const sequentialTrips = (calls: readonly MeteredCall[]): number => {
  let trips = 0;
  let reached = -1;
  for (const { start, end } of [...calls].sort((a, b) => a.end - b.end)) {
    if (start < reached) continue;
    trips += 1;
    reached = end;
  }
  return trips;
};

interface Consumed {
  readonly CapacityUnits?: number;
}

/** The units of a response. A failed condition consumes capacity but doesn't report it: it counts as one unit. */
const unitsOf = (text: string): number => {
  const answer = JSON.parse(text) as { __type?: string; ConsumedCapacity?: Consumed | Consumed[] };
  if (answer.__type !== undefined) return 1;
  const consumed = [answer.ConsumedCapacity ?? []].flat();
  return consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

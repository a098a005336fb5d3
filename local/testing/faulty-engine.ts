import { refusal } from '../base/json-service.ts';
import { startEngineProxy } from '../engine/engine-proxy.ts';

/**
 * The fault of one call: none, throttling, a refusal because the same transaction still runs, a lost response to a
 * completed call, or no response.
 */
export type CallFault = 'none' | 'throttle' | 'in-progress' | 'lose-answer' | 'hang';

export interface FaultyEngine {
  readonly endpoint: string;
  /** Chooses the fault of each call from now on. */
  fault: (operation: string, body: string, caller: string) => CallFault | Promise<CallFault>;
  stop(): Promise<void>;
}

/** A proxy in front of an engine with faults of the network and DynamoDB. */
export const startFaultyEngine = async (engine: string): Promise<FaultyEngine> => {
  const proxy = await startEngineProxy(engine, async ({ operation, body, caller }, forward) => {
    const fault = await faulty.fault(operation, body.toString(), caller);
    if (fault === 'throttle') return throttled;
    if (fault === 'in-progress') return inProgress;
    if (fault === 'hang') return new Promise(() => undefined);
    const answer = await forward();
    return fault === 'lose-answer' ? 'hang up' : answer;
  });
  const faulty: FaultyEngine = { ...proxy, fault: () => 'none' };
  return faulty;
};

const throttled = refusal({
  type: 'ProvisionedThroughputExceededException',
  message: 'The level of throughput is exceeded',
});

const inProgress = refusal({
  type: 'TransactionInProgressException',
  message: 'The transaction with the given request token is already in progress.',
});

import { refusal, startEngineProxy } from '../dynamodb/engine-proxy.ts';

/**
 * What goes wrong with one call: nothing, it is refused for its rate, it is made and its answer is lost, or nobody
 * ever answers.
 */
export type CallFault = 'none' | 'throttle' | 'lose-answer' | 'hang';

export interface FaultyEngine {
  readonly endpoint: string;
  /** Decides about every call from now on. */
  fault: (operation: string, body: string) => CallFault;
  stop(): Promise<void>;
}

/** Stands before an engine and lets calls fail as the network and DynamoDB do. */
export const startFaultyEngine = async (engine: string): Promise<FaultyEngine> => {
  const proxy = await startEngineProxy(engine, async ({ operation, body }, forward) => {
    const fault = faulty.fault(operation, body.toString());
    if (fault === 'throttle') return throttled;
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

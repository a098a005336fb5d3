import { type EngineAnswer, startEngineProxy } from '../../local/engine/engine-proxy.ts';
import type { DeploymentAccess } from '../../ops/deployment/deployment.ts';
import type { TestTarget } from './ops-target.ts';

interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface InterceptedTarget {
  readonly target: DeploymentAccess;
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/**
 * A deployment whose scans and batches go through `intercept`, which forwards them, changed or not, or responds: small
 * pages, unprocessed items, concurrent writes. Its stores reach the engine directly.
 */
export const interceptedTarget = async (
  target: TestTarget,
  intercept: (call: Call, forward: (input?: object) => Promise<EngineAnswer>) => Promise<EngineAnswer>,
): Promise<InterceptedTarget> => {
  const { endpoint, stop } = await startEngineProxy(target.db.endpoint, ({ operation, body }, forward) =>
    intercept({ operation, input: JSON.parse(body.toString()) }, (input) =>
      forward(input && Buffer.from(JSON.stringify(input))),
    ),
  );
  return { target: { ...target, access: { ...target.access, endpoint } }, endpoint, stop };
};

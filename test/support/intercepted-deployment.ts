import { type EngineResponse, startEngineProxy } from '../../local/engine/engine-proxy.ts';
import type { DeploymentAccess } from '../../ops/deployment/deployment.ts';
import type { TestDeployment } from './ops-deployment.ts';

interface Call {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface InterceptedDeployment {
  readonly deployment: DeploymentAccess;
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/**
 * A deployment whose scans and batches go through `intercept`, which forwards them, changed or not, or responds: small
 * pages, unprocessed items, concurrent writes. Its stores reach the engine directly.
 */
export const interceptedDeployment = async (
  deployment: TestDeployment,
  intercept: (call: Call, forward: (input?: object) => Promise<EngineResponse>) => Promise<EngineResponse>,
): Promise<InterceptedDeployment> => {
  const { endpoint, stop } = await startEngineProxy(deployment.db.endpoint, ({ operation, body }, forward) =>
    intercept({ operation, input: JSON.parse(body.toString()) }, (input) =>
      forward(input && Buffer.from(JSON.stringify(input))),
    ),
  );
  return { deployment: { ...deployment, access: { ...deployment.access, endpoint } }, endpoint, stop };
};

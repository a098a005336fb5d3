import { awsRegion, stageOf } from '../aws/aws-region.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { checks } from './checks.ts';
import { openDeployedStack } from './deployed-stack.ts';
import { type CheckResult, runChecks } from './run.ts';
import { openSession } from './session.ts';

/** Waits in seconds. */
interface Waits {
  readonly pause?: number | undefined;
  readonly patience?: number | undefined;
}

/** Checks a deployment at its public addresses, and the alarms and metrics of a deployed stack. */
export const smoke = async (
  deployment: DeploymentAccess,
  { stack, region }: { readonly stack?: string; readonly region?: string },
  { pause, patience }: Waits,
): Promise<CheckResult[]> => {
  const deployed =
    stack === undefined
      ? undefined
      : openDeployedStack(stack, awsRegion({ given: region, stage: stageOf(stack) }));
  const session = await openSession(deployment, {
    deployed,
    pauseSeconds: pause ?? (deployed ? 60 : 0),
    timeoutSeconds: patience,
  });
  return runChecks(checks, session);
};

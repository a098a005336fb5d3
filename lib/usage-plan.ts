import type { CfnResource } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { planKeyBuckets, planKeyValue } from '../core/api-keys/plan-key.ts';
import type { Config } from './config.ts';

/** The share of the stage's rate for one plan key, which several projects use. */
const shareOfStage = 1 / 10;

/**
 * Isolates projects: each uses the plan key of its bucket, and API Gateway throttles by plan key. The service itself
 * counts hourly quotas. Returns the prefix of the plan keys' values.
 */
export const addUsagePlan = (
  scope: Construct,
  rest: apigateway.RestApi,
  { callsPerSecond }: Config,
): string => {
  const rateLimit = Math.max(1, Math.ceil(callsPerSecond * shareOfStage));
  const plan = rest.addUsagePlan('Plan', {
    description: 'Every admitted request, by bucket of projects; hours of keys are counted by the service',
    throttle: { rateLimit, burstLimit: 2 * rateLimit },
    apiStages: [{ api: rest, stage: rest.deploymentStage }],
  });
  const start = `${scope.node.addr}${scope.node.addr}`.slice(0, 60);
  for (let bucket = 0; bucket < planKeyBuckets; bucket += 1) {
    plan.addApiKey(
      rest.addApiKey(bucket === 0 ? 'PlanKey' : `PlanKey${bucket}`, { value: planKeyValue(start, bucket) }),
    );
  }
  for (const kind of [apigateway.CfnApiKey, apigateway.CfnUsagePlanKey])
    oneAfterTheOther(rest.node.findAll().filter((one): one is CfnResource => one instanceof kind));
  return start;
};

/**
 * Creates resources in sequence: API Gateway allows five keys a second and no concurrent changes of a plan, so
 * CloudFormation's parallel creation would fail.
 */
const oneAfterTheOther = (resources: readonly CfnResource[]): void => {
  for (const [i, resource] of resources.entries()) {
    const before = resources[i - 1];
    if (before) resource.addResourceDependency(before);
  }
};

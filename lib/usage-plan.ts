import type { CfnResource } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import {
  planKeyBuckets,
  planKeyValue,
  shareBucketValue,
  sharePlanKeyBuckets,
} from '../core/api-keys/plan-key.ts';
import type { Config } from './config.ts';

/** The part of the stage's rate for one plan key, which several projects use. */
const partOfStage = 1 / 10;
/** The same for a plan key of publishable keys, which anybody may use. */
const partForSharing = { part: 1 / 100, least: 10 };

/**
 * Isolates projects: each uses the plan key of its bucket, and API Gateway throttles by plan key. The service itself
 * counts hourly quotas. Returns the prefix of the plan keys' values.
 */
export const addUsagePlan = (
  scope: Construct,
  rest: apigateway.RestApi,
  { callsPerSecond }: Config,
): string => {
  const addPlan = (id: string, description: string, rateLimit: number) =>
    rest.addUsagePlan(id, {
      description,
      throttle: { rateLimit, burstLimit: 2 * rateLimit },
      apiStages: [{ api: rest, stage: rest.deploymentStage }],
    });
  const plan = addPlan(
    'Plan',
    'Every admitted request, by bucket of projects; hours of keys are counted by the service',
    Math.max(1, Math.ceil(callsPerSecond * partOfStage)),
  );
  const start = `${scope.node.addr}${scope.node.addr}`.slice(0, 60);
  for (let bucket = 0; bucket < planKeyBuckets; bucket += 1)
    plan.addApiKey(rest.addApiKey(`PlanKey${bucket || ''}`, { value: planKeyValue(start, bucket) }));
  const sharing = addPlan(
    'SharePlan',
    'Calls with publishable keys, by bucket of projects',
    Math.max(partForSharing.least, Math.ceil(callsPerSecond * partForSharing.part)),
  );
  for (let bucket = 0; bucket < sharePlanKeyBuckets; bucket += 1)
    sharing.addApiKey(rest.addApiKey(`SharePlanKey${bucket}`, { value: shareBucketValue(start, bucket) }));
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

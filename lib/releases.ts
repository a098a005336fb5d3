import type { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Heading } from './alarm-names.ts';
import type { ServiceFunction } from './function.ts';
import { failures, plus, sum } from './metrics.ts';
import type { Measured } from './monitored-metrics.ts';
import type { Monitoring } from './monitoring.ts';

/** Operations with a canary, because they get most calls; the redirect and the authorizer also have one. */
const withCanary = ['CreateLink', 'GetLink', 'UpdateLink'];

/**
 * Shifts the busiest aliases to new versions: 10 % of the traffic first, the rest after five minutes without an alarm.
 * All others follow at once, because Lambda allows an account 15 changes a second, too few for about twenty concurrent
 * shifts.
 */
export const addReleases = (stack: Stack, { alarms }: Monitoring, { shortLinks, api }: Measured): void => {
  const scope = new Construct(stack, 'Releases');
  const application = new codedeploy.LambdaApplication(scope, 'Application');
  const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
  const role = new iam.Role(scope, 'Role', {
    assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName(policy)],
  });
  /** Shifts an alias. An alarm of the whole service or of the function rolls it back. */
  const shift = (made: ServiceFunction, ofTheWhole: Heading, metric: cloudwatch.IMetric) => {
    const { id } = made.node;
    const description = {
      heading: 'Release' as const,
      says: `${id} fails; a release in progress is rolled back`,
    };
    // Few calls reach a new version at first, so failures count by number, not by share. The alarm is silent, because
    // outside of releases three failures a minute of one function are no reason for a message.
    const own = alarms.addSilent(`${id}Release`, description, metric, { at: 3, minutes: 1 });
    new codedeploy.LambdaDeploymentGroup(scope, id, {
      application,
      role,
      alias: aliasOf(made),
      alarms: [alarms.named(ofTheWhole), own],
      deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
    return resourceOf(made);
  };
  const crashesAndFailures = (made: ServiceFunction) =>
    plus([made.live.metricErrors(sum), failures(scope, made)], 'Failures');
  const { redirect } = shortLinks;
  // The authorizer's error count includes every unknown key; its crashes show as errors of the API.
  const authorize = shift(api.authorize, 'ApiErrors', failures(scope, api.authorize));
  const canaries = api.functions.filter(({ node }) => withCanary.includes(node.id));
  const shifted = [
    shift(redirect, 'RedirectErrors', crashesAndFailures(redirect)),
    authorize,
    ...canaries.map((made) => shift(made, 'ApiErrors', crashesAndFailures(made))),
  ];
  for (const made of api.functions) {
    // An endpoint may need values that only the new authorizer returns.
    const earlier = canaries.includes(made) ? [authorize] : shifted;
    for (const one of earlier) resourceOf(made).addResourceDependency(one);
  }
};

const aliasOf = ({ alias, node }: ServiceFunction): lambda.Alias => {
  if (!alias) throw new Error(`${node.path} has no alias to move`);
  return alias;
};

const resourceOf = (made: ServiceFunction) => aliasOf(made).node.defaultChild as lambda.CfnAlias;

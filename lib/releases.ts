import type { Stack } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Heading } from './alarms.ts';
import type { ServiceFunction } from './function.ts';
import { failures, plus, sum } from './metrics.ts';
import type { Monitoring } from './monitoring.ts';
import type { Measured } from './watched.ts';

/** The operations that get a canary, as the redirect and the authorizer do: they carry most calls. */
const withCanary = ['CreateLink', 'GetLink', 'UpdateLink'];

/**
 * Moves the aliases that carry most visits and calls to new versions: a tenth of the traffic first, the rest after five
 * minutes without an alarm. All others follow at once. Lambda takes 15 changes a second from a whole account, and refuses
 * what some twenty shifts ask for at the same time.
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
  /** An alarm, of the whole or of the function itself, takes the alias back to the version that it came from. */
  const shift = (made: ServiceFunction, ofTheWhole: Heading, metric: cloudwatch.IMetric) => {
    const { id } = made.node;
    const words = { heading: 'Release', says: `${id} fails; a release in progress is rolled back` };
    // Few calls reach a new version at first, so each failure counts, whatever its share of all calls is. Only for
    // CodeDeploy: outside releases, three failures a minute of one function send no mail.
    const own = alarms.addSilent(`${id}Release`, words, metric, { at: 3, minutes: 1 });
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
  // A crash of the authorizer shows as an error of the API; its own error count includes every unknown key.
  const authorize = shift(api.authorize, 'ApiErrors', failures(scope, api.authorize));
  const canaries = api.functions.filter(({ node }) => withCanary.includes(node.id));
  const shifted = [
    shift(redirect, 'RedirectErrors', crashesAndFailures(redirect)),
    authorize,
    ...canaries.map((made) => shift(made, 'ApiErrors', crashesAndFailures(made))),
  ];
  for (const made of api.functions) {
    // Until 1.3.0: the gateway remembers for a minute what the authorizer of 1.1.0 said. A plan key that it named goes when
    // all aliases have moved, and so five minutes later.
    const earlier = canaries.includes(made) ? [authorize] : shifted;
    for (const one of earlier) resourceOf(made).addResourceDependency(one);
  }
};

const aliasOf = ({ alias, node }: ServiceFunction): lambda.Alias => {
  if (!alias) throw new Error(`${node.path} has no alias to move`);
  return alias;
};

const resourceOf = (made: ServiceFunction) => aliasOf(made).node.defaultChild as lambda.CfnAlias;

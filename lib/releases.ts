import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ServiceFunction } from './function.ts';
import { failures, plus, sum } from './metrics.ts';
import type { Monitoring } from './monitoring.ts';
import type { Measured } from './watched.ts';

/** Moves aliases to new versions: a tenth of the traffic first, the rest after five minutes without an alarm. */
export class Releases extends Construct {
  private readonly application: codedeploy.LambdaApplication;
  private readonly role: iam.Role;
  private readonly monitoring: Monitoring;

  constructor(scope: Construct, id: string, monitoring: Monitoring, { shortLinks, api }: Measured) {
    super(scope, id);
    this.monitoring = monitoring;
    this.application = new codedeploy.LambdaApplication(this, 'Application');
    const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
    this.role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    const { redirect } = shortLinks;
    this.shift(redirect, monitoring.alarms.named('RedirectErrors'), crashesAndFailures(this, redirect));
    const apiErrors = monitoring.alarms.named('ApiErrors');
    // A crash of the authorizer shows as an error of the API; its own error count includes every unknown key.
    const authorize = this.shift(api.authorize, apiErrors, failures(this, api.authorize));
    const { operations, reference, wrongMethod, signIn } = api;
    const others = [reference.function, wrongMethod, ...(signIn ? [signIn.function] : [])];
    for (const made of [...Object.values(operations), ...others]) {
      const live = this.shift(made, apiErrors, crashesAndFailures(this, made));
      // The gateway remembers for a minute what the former authorizer said. A plan key that it named goes when all
      // aliases have moved, and so five minutes later.
      live.addResourceDependency(authorize);
    }
  }

  /** An alarm, of the whole or of the function itself, takes the alias back to the version that it came from. */
  private shift(
    made: ServiceFunction,
    ofTheWhole: cloudwatch.IAlarm,
    metric: cloudwatch.IMetric,
  ): lambda.CfnAlias {
    if (!made.alias) throw new Error(`${made.node.path} has no alias to move`);
    const name = made.node.id;
    const words = { heading: 'Release', says: `${name} fails; a release in progress is rolled back` };
    // Few calls reach a new version at first, so each failure counts, whatever its share of all calls is. Only for
    // CodeDeploy: outside releases, three failures a minute of one function send no mail.
    const own = this.monitoring.alarms.addSilent(`${name}Release`, words, metric, { at: 3, minutes: 1 });
    new codedeploy.LambdaDeploymentGroup(this, name, {
      application: this.application,
      role: this.role,
      alias: made.alias,
      alarms: [ofTheWhole, own],
      deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
    return made.alias.node.defaultChild as lambda.CfnAlias;
  }
}

const crashesAndFailures = (scope: Construct, made: ServiceFunction): cloudwatch.MathExpression =>
  plus([made.live.metricErrors(sum), failures(scope, made)], 'Failures');

import { Aws, CfnOutput, Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { addAlarms } from './alarms.ts';
import type { Config } from './config.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { minute, ownMetric, plus, sum } from './metrics.ts';
import { keptQueue } from './retained.ts';
import { addCopy } from './table.ts';

/**
 * Serves visitors from a second region while the first can't. Its functions only read a copy of the table, and keep
 * clicks in a queue for the first region. The stack of the first region is deployed after it, and grants its functions
 * what they need there. The settings have the second region's resources in place of the first one's.
 */
export class StandbyStack extends Stack {
  readonly copy: ITable;
  readonly clicksQueue: sqs.Queue;
  readonly redirect: ServiceFunction;
  readonly wellKnown: ServiceFunction;
  readonly forward: ServiceFunction;
  /** The hosts of functions' URLs, for templates of other regions. */
  readonly redirectHost: string;
  readonly wellKnownHost: string;

  constructor(scope: Construct, id: string, { config, ...props }: StackProps & { readonly config: Config }) {
    const description = 'Dynamic links: serves visitors while the first region is away';
    super(scope, id, { description, ...props });
    this.copy = addCopy(this, config);
    this.clicksQueue = new sqs.Queue(this, 'StandbyClicks', {
      // Without a dead letter queue: the forwarder reads no message, so none can be at fault, and all may wait so long.
      ...keptQueue(config),
      visibilityTimeout: Duration.minutes(6),
    });
    const { region: homeRegion } = config;
    const { queueUrl: clickQueueUrl } = this.clicksQueue;
    const service = { config, table: this.copy, homeRegion, clickQueueUrl };
    this.redirect = new ServiceFunction(this, rowOf('standby-redirect'), service);
    this.wellKnown = new ServiceFunction(this, rowOf('standby-well-known'), service);
    this.forward = new ServiceFunction(this, rowOf('forward-clicks'), service);
    this.redirect.allow(['sqs:SendMessage'], [this.clicksQueue.queueArn]);
    this.forward.function.addEventSource(
      new SqsEventSource(this.clicksQueue, {
        // Few tries while the first region is away: each message is received every six minutes.
        batchSize: 1000,
        maxBatchingWindow: Duration.seconds(config.like === 'prod' ? 5 : 1),
        maxConcurrency: 2,
        reportBatchItemFailures: true,
      }),
    );
    this.#watch(config);
    acknowledge(this, config);
    new CfnOutput(this, 'CopyTableName', { value: this.copy.tableName });
    new CfnOutput(this, 'ClicksQueueUrl', { value: this.clicksQueue.queueUrl });
    this.redirectHost = this.#serve(this.redirect, 'Redirect');
    this.wellKnownHost = this.#serve(this.wellKnown, 'WellKnown');
  }

  /** Gives a function a URL, and returns its host. AWS documents no `Fn::Split` of another stack's output. */
  #serve(made: ServiceFunction, name: string): string {
    const { url } = urlOf(made);
    new CfnOutput(this, `${name}Url`, { value: url });
    const host = new CfnOutput(this, `${name}Host`, { value: Fn.select(2, Fn.split('/', url)) });
    return Fn.getStackOutput(this.stackName, this.getLogicalId(host), this.region);
  }

  #watch(config: Config): void {
    const alarms = addAlarms(this, config);
    const { function: handler } = this.redirect;
    const failed = [
      handler.metricErrors(sum),
      handler.metricThrottles(sum),
      ownMetric(this, 'RedirectBusy'),
      ownMetric(this, 'ClickLost'),
    ];
    alarms.add('StandbyErrors', 'StandbyErrors', plus(failed), { at: 5, minutes: 2 });
    alarms.add(
      'StandbyClicksWaiting',
      'StandbyClicksWaiting',
      this.clicksQueue.metricApproximateAgeOfOldestMessage(minute),
      { at: Duration.hours(1).toSeconds() },
    );
  }
}

/** A function's URL, for CloudFront's distributions of this account: those of the first region have no names yet. */
const urlOf = (made: ServiceFunction): lambda.FunctionUrl => {
  const principal = 'cloudfront.amazonaws.com';
  const sourceArn = `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution/*`;
  const { functionArn: functionName } = made.function;
  new lambda.CfnPermission(made, 'InvokeUrl', {
    ...{ principal, sourceArn, functionName },
    action: 'lambda:InvokeFunctionUrl',
  });
  new lambda.CfnPermission(made, 'Invoke', {
    ...{ principal, sourceArn, functionName },
    action: 'lambda:InvokeFunction',
    invokedViaFunctionUrl: true,
  });
  return made.function.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM });
};

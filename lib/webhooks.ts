import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceFunction } from './function.ts';
import { rowOf, turnsAtOnce } from './functions.ts';
import { randomSecret } from './kept.ts';
import type { Service } from './service.ts';

/** Sends events to receivers: the queue that says which webhook to look at, and the function that does. */
export class Webhooks extends Construct {
  readonly queue: sqs.Queue;
  readonly send: ServiceFunction;

  constructor(scope: Construct, id: string, service: Service) {
    super(scope, id);
    const { config } = service;
    this.queue = new sqs.Queue(this, 'Queue', {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // Longer than a turn: the message of one that died comes again. Lambda asks for six times the timeout, in case it gets
      // a message that it can't run yet; a second turn of a webhook finds the first, and ends.
      visibilityTimeout: Duration.seconds(90),
    });
    const secret = randomSecret(this, 'Secret', config, 'What the secrets of webhooks follow from');
    this.send = new ServiceFunction(this, rowOf('send-events'), {
      ...service,
      webhookQueueUrl: this.queue.queueUrl,
      webhookSecret: secret.secretValue.unsafeUnwrap(),
    });
    this.send.function.addEventSource(
      new SqsEventSource(this.queue, { batchSize: 1, maxConcurrency: turnsAtOnce }),
    );
    // A turn that is not over sends the message of the next one.
    this.grantWake(this.send);
    if (config.eventBuses) this.letPut(config.eventBuses);
    // For the `webhook` commands.
    new CfnOutput(this, 'QueueUrl', { value: this.queue.queueUrl }).overrideLogicalId('WebhookQueueUrl');
    new CfnOutput(this, 'SecretArn', { value: secret.secretArn }).overrideLogicalId('WebhookSecretArn');
  }

  /** Lets a function send messages to the sender, and nothing else. */
  grantWake({ function: caller }: ServiceFunction): void {
    caller.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queue.queueArn] }),
    );
  }

  /** Only buses that the deployment names: one of another account gets what it is sent. */
  private letPut(buses: readonly string[]): void {
    const stack = Stack.of(this);
    const arnOf = (bus: string) =>
      bus.startsWith('arn:')
        ? bus
        : stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: bus });
    this.send.function.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['events:PutEvents'], resources: buses.map(arnOf) }),
    );
    new CfnOutput(this, 'Buses', { value: buses.join(',') }).overrideLogicalId('EventBuses');
  }
}

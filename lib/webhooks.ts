import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceFunction } from './function.ts';
import { rowOf, senderTurns } from './functions.ts';
import { keptQueue, randomSecret } from './retained.ts';
import type { FunctionSettings } from './service.ts';

export type Webhooks = ReturnType<typeof addWebhooks>;

/** The webhook sender and its queue, whose messages name the webhook to send to. */
export const addWebhooks = (stack: Stack, service: FunctionSettings) => {
  const scope = new Construct(stack, 'Webhooks');
  const { config } = service;
  const queue = new sqs.Queue(scope, 'Queue', {
    ...keptQueue(config),
    // Longer than a turn, so that a crashed turn's message is redelivered. Lambda recommends six times the timeout for
    // messages that it can't process yet, but a second turn of a webhook finds the first and ends.
    visibilityTimeout: Duration.seconds(90),
  });
  const secret = randomSecret(scope, 'Secret', config, "The root of webhooks' secrets");
  const send = new ServiceFunction(scope, rowOf('send-events'), {
    ...service,
    webhookQueueUrl: queue.queueUrl,
    webhookSecret: secret.secretValue.unsafeUnwrap(),
  });
  send.function.addEventSource(new SqsEventSource(queue, { batchSize: 1, maxConcurrency: senderTurns }));
  // An unfinished turn sends the message for the next one.
  send.allow(['sqs:SendMessage'], [queue.queueArn]);
  // Only the configured buses: another account's bus would get the events.
  if (config.eventBuses) {
    send.allow(
      ['events:PutEvents'],
      config.eventBuses.map((bus) => busArn(stack, bus)),
    );
    new CfnOutput(scope, 'Buses', { value: config.eventBuses.join(',') }).overrideLogicalId('EventBuses');
  }
  // Outputs for the `webhook` commands.
  new CfnOutput(scope, 'QueueUrl', { value: queue.queueUrl }).overrideLogicalId('WebhookQueueUrl');
  new CfnOutput(scope, 'SecretArn', { value: secret.secretArn }).overrideLogicalId('WebhookSecretArn');
  return { queue, send };
};

const busArn = (stack: Stack, bus: string): string =>
  bus.startsWith('arn:')
    ? bus
    : stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: bus });

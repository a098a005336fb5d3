import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limits } from '../core/base/limits.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import type { Service } from './service.ts';

/** Where clicks wait that the table doesn't take in time, and the function that counts them later. */
export class ClickQueue extends Construct {
  readonly queue: sqs.Queue;
  /** Clicks that could not be counted for days. */
  readonly deadLetters: sqs.Queue;
  readonly record: ServiceFunction;

  constructor(scope: Construct, id: string, service: Service) {
    super(scope, id);
    const shared = {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(limits.clickQueueDays),
    };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', shared);
    this.queue = new sqs.Queue(this, 'Queue', {
      ...shared,
      // Six times the function's timeout, as Lambda asks for.
      visibilityTimeout: Duration.minutes(6),
      // A famous link's clicks come again and again until the table has taken those before them.
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 100 },
    });
    new CfnOutput(Stack.of(this), 'ClickQueueName', { value: this.queue.queueName });
    this.record = new ServiceFunction(this, rowOf('record-clicks'), service);
    this.record.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1000,
        maxBatchingWindow: Duration.seconds(5),
        // The table takes a thousand writes a second on one link; more at once would only be refused.
        maxConcurrency: 5,
        reportBatchItemFailures: true,
      }),
    );
  }

  /** Lets a function put clicks into the queue, and nothing else. */
  grantSend({ function: sender }: ServiceFunction): void {
    sender.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queue.queueArn] }),
    );
  }
}

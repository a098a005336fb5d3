import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { keptQueue } from './retained.ts';
import type { FunctionSettings } from './service.ts';

export type ClickQueue = ReturnType<typeof addClickQueue>;

/** The queue for clicks that the table doesn't take in time, and the function that counts them later. */
export const addClickQueue = (stack: Stack, service: FunctionSettings) => {
  const scope = new Construct(stack, 'ClickQueue');
  const deadLetters = new sqs.Queue(scope, 'DeadLetters', keptQueue(service.config));
  const queue = new sqs.Queue(scope, 'Queue', {
    ...keptQueue(service.config),
    // Six times the function's timeout, as Lambda recommends.
    visibilityTimeout: Duration.minutes(6),
    // Clicks of a busy link are retried until the table has taken those before them. SQS's most is 1,000 attempts:
    // after four days without a table, clicks leave the queue.
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 1000 },
  });
  new CfnOutput(stack, 'ClickQueueName', { value: queue.queueName });
  const record = new ServiceFunction(scope, rowOf('record-clicks'), service);
  record.function.addEventSource(
    new SqsEventSource(queue, {
      batchSize: 1000,
      maxBatchingWindow: Duration.seconds(5),
      // The table takes a thousand writes a second on one link; more would only be throttled.
      maxConcurrency: 5,
      reportBatchItemFailures: true,
    }),
  );
  return { queue, deadLetters };
};

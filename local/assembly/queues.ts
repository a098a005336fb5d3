import type { QueueMapping, QueueResource } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import { queueArn, queueUrl } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

/** Standard queues. Queue policies are ignored: all callers belong to the queues' account. */
export function readQueues(resources: Resources): QueueResource[] {
  return resources.ofType('AWS::SQS::Queue').map((queue) => {
    const { id, properties } = queue;
    if (properties.flag('FifoQueue')) throw new Error(`${id}: FIFO queues aren't emulated`);
    const redrive = properties.in('RedrivePolicy');
    return {
      id,
      name: properties.text('QueueName', id),
      arn: queueArn(queue),
      url: queueUrl(queue),
      visibilitySeconds: properties.number('VisibilityTimeout', 30),
      retentionSeconds: properties.number('MessageRetentionPeriod', 4 * 24 * 60 * 60),
      delaySeconds: properties.number('DelaySeconds', 0),
      maximumBytes: properties.number('MaximumMessageSize', 256 * 1024),
      ...(redrive.has('deadLetterTargetArn') && {
        deadLetters: {
          queueArn: redrive.text('deadLetterTargetArn'),
          maxReceiveCount: redrive.number('maxReceiveCount', 10),
        },
      }),
    };
  });
}

export function readQueueMapping(
  { id, properties }: Resource,
  { id: queueId }: QueueResource,
  functions: FunctionIndex,
): QueueMapping {
  if (properties.has('FilterCriteria')) throw new Error(`${id}: filters of queues aren't emulated`);
  return {
    id,
    queueId,
    functionId: functions.idOf(properties.text('FunctionName'), id),
    batchSize: properties.number('BatchSize', 10),
    batchingWindowSeconds: properties.number('MaximumBatchingWindowInSeconds', 0),
    reportBatchItemFailures: properties.texts('FunctionResponseTypes').includes('ReportBatchItemFailures'),
    // Lambda begins with five batches at once and has more only under load.
    maximumConcurrency: properties.in('ScalingConfig').number('MaximumConcurrency', 5),
  };
}

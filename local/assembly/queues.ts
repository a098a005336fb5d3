import type { QueueMapping, QueueResource } from './assembly.ts';
import type { FunctionIndex } from './functions.ts';
import { queueArn, queueName, queueUrl } from './references.ts';
import type { Resource } from './resource.ts';
import type { Resources } from './resources.ts';

/** Queue policies are ignored: all callers belong to the queues' account. */
export function readQueues(resources: Resources): QueueResource[] {
  return resources.ofType('AWS::SQS::Queue').map((queue) => {
    const { id, properties } = queue;
    const redrive = properties.in('RedrivePolicy');
    return {
      id,
      name: queueName(queue),
      arn: queueArn(queue),
      url: queueUrl(queue),
      visibilitySeconds: properties.number('VisibilityTimeout', 30),
      retentionSeconds: properties.number('MessageRetentionPeriod', 4 * 24 * 60 * 60),
      delaySeconds: properties.number('DelaySeconds', 0),
      maximumBytes: properties.number('MaximumMessageSize', 256 * 1024),
      ...(properties.flag('FifoQueue') && { fifo: readFifo(queue) }),
      ...(redrive.has('deadLetterTargetArn') && {
        deadLetters: {
          queueArn: redrive.text('deadLetterTargetArn'),
          maxReceiveCount: redrive.number('maxReceiveCount', 10),
        },
      }),
    };
  });
}

function readFifo({ id, properties }: Resource): NonNullable<QueueResource['fifo']> {
  const isPerGroup = properties.text('DeduplicationScope', 'queue') === 'messageGroup';
  // The limits of throughput aren't emulated.
  if (properties.text('FifoThroughputLimit', 'perQueue') === 'perMessageGroupId' && !isPerGroup)
    throw new Error(
      `${id}: the throughput limit perMessageGroupId needs the deduplication scope messageGroup`,
    );
  return { isContentBased: properties.flag('ContentBasedDeduplication'), isPerGroup };
}

export function readQueueMapping(
  { id, properties }: Resource,
  { id: queueId, fifo }: QueueResource,
  functions: FunctionIndex,
): QueueMapping {
  if (properties.has('FilterCriteria')) throw new Error(`${id}: filters of queues aren't emulated`);
  if (fifo && (properties.has('MaximumBatchingWindowInSeconds') || properties.number('BatchSize', 10) > 10))
    throw new Error(`${id}: a FIFO queue has no batching window, and batches of at most 10`);
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

import { Duration, type Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { givenUpMinutes } from '../core/analytics/watermarks.ts';
import type { FunctionName } from '../core/functions.ts';
import { copiedKinds } from '../core/table/copied-kinds.ts';
import { partitions, sortKeys } from '../core/table/keys.ts';
import { batchingSecondsOf, eventBatchingSecondsOf, mostInBatch, windowSeconds } from './batching.ts';
import { addClickExport } from './click-export.ts';
import type { Copying } from './copying.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { privateBucket } from './retained.ts';
import type { FunctionSettings } from './service.ts';
import type { Webhooks } from './webhooks.ts';

export type Clicks = ReturnType<typeof addClicks>;

/**
 * Readers of the table's stream: analytics from clicks, expired links from deleted markers, and events from all of them.
 * The emitter sends webhooks to look at, and keys whose items the second region lacks.
 */
export const addClicks = (
  stack: Stack,
  service: FunctionSettings,
  { queue: wakes }: Webhooks,
  copying: Copying | undefined,
) => {
  const scope = new Construct(stack, 'Clicks');
  const { config, table } = service;
  // Batches that failed permanently.
  const failures = privateBucket(scope, 'Failures', config, { expiration: Duration.days(90) });
  const [aggregating, emitting] = [batchingSecondsOf(config), eventBatchingSecondsOf(config)];
  const stream = config.export ? addClickExport(scope, config) : undefined;
  const known = {
    ...service,
    webhookQueueUrl: wakes.queueUrl,
    copyKeysQueueUrl: copying?.queue.queueUrl,
    clickExportStream: stream?.ref,
    failuresBucket: stream && failures.bucketName,
  };
  const { filter: rule } = lambda.FilterCriteria;
  const { beginsWith, isEqual, or } = lambda.FilterRule;
  const ofVisitors = rule({
    eventName: or('INSERT', 'MODIFY'),
    dynamodb: { Keys: { PK: { S: beginsWith(partitions.visitor) } } },
  });
  const consumer = (name: FunctionName, source: Partial<DynamoEventSourceProps>): ServiceFunction => {
    const made = new ServiceFunction(scope, rowOf(name), known);
    made.function.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: lambda.StartingPosition.TRIM_HORIZON,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        onFailure: into(failures, made),
        // Batches fail only by age, before the stream drops their records.
        retryAttempts: -1,
        maxRecordAge: Duration.minutes(givenUpMinutes),
        ...source,
      }),
    );
    return made;
  };
  const aggregate = consumer('aggregate-clicks', {
    batchSize: mostInBatch.aggregating,
    // Concurrent batches of a shard would overtake its watermark.
    parallelizationFactor: 1,
    // Events with a window contain their shard, which watermarks need.
    tumblingWindow: Duration.seconds(windowSeconds),
    // Clicks in one window share the writes of their analytics.
    ...(aggregating > 0 && { maxBatchingWindow: Duration.seconds(aggregating) }),
    filters: [ofVisitors],
  });
  if (stream) aggregate.allow(['firehose:PutRecordBatch'], [stream.attrArn]);
  const emit = consumer('emit-events', {
    batchSize: mostInBatch.emitting,
    // Changes in one window share reads and messages.
    ...(emitting > 0 && { maxBatchingWindow: Duration.seconds(emitting) }),
    filters: [
      // Changes of links and visitors, but not analytics of links. Only projects' deletions remove links.
      rule({
        dynamodb: {
          Keys: { PK: { S: beginsWith(partitions.link) }, SK: { S: isEqual(sortKeys.link) } },
        },
      }),
      ofVisitors,
      ...(copying ? [ofCopies] : []),
      rule({
        eventName: isEqual('REMOVE'),
        // Only deletions by TTL count: edits also remove markers.
        userIdentity: { type: isEqual('Service'), principalId: isEqual('dynamodb.amazonaws.com') },
        dynamodb: { Keys: { SK: { S: isEqual(sortKeys.expiry) } } },
      }),
    ],
  });
  for (const queue of [wakes, copying?.queue]) if (queue) emit.allow(['sqs:SendMessage'], [queue.queueArn]);
  return { aggregate, emit, stream };
};

/** Changes of items that the second region has, besides links, and the beat; the emitter looks at sort keys. */
const ofCopies = lambda.FilterCriteria.filter({
  dynamodb: {
    Keys: {
      PK: {
        S: [...copiedKinds, 'home' as const]
          .filter((kind) => kind !== 'link')
          .map((kind) => partitions[kind])
          .map((start) => (start.endsWith('#') ? { prefix: start } : start)),
      },
    },
  },
});

/** A failure destination that may only write; the CDK's own would let the function read and delete as well. */
const into = (bucket: s3.Bucket, reader: ServiceFunction): lambda.IEventSourceDlq => ({
  bind() {
    reader.allow(['s3:PutObject'], [bucket.arnForObjects('*')]);
    reader.allow(['s3:ListBucket'], [bucket.bucketArn]);
    return { destination: bucket.bucketArn };
  },
});

import { Duration, type Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { givenUpMinutes } from '../core/figures/watermarks.ts';
import type { FunctionName } from '../core/functions.ts';
import { partitions, sortKeys } from '../core/table/keys.ts';
import { addClickExport } from './click-export.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { eventGatheringOf, gatheringOf, mostInBatch, windowSeconds } from './gathering.ts';
import { privateBucket } from './kept.ts';
import type { FunctionSettings } from './service.ts';

export type Clicks = ReturnType<typeof addClicks>;

/** What follows from writes to the table: figures from visitors' clicks, expired links from swept markers, events from all of them. */
export const addClicks = (stack: Stack, service: FunctionSettings) => {
  const scope = new Construct(stack, 'Clicks');
  const { config, table } = service;
  // What a mapping gave up on, for as long as anybody may want to look into it.
  const failures = privateBucket(scope, 'Failures', config, { expiration: Duration.days(90) });
  const [gathering, telling] = [gatheringOf(config), eventGatheringOf(config)];
  const stream = config.export ? addClickExport(scope, config) : undefined;
  const known = {
    ...service,
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
        // Given up by age alone, before the stream drops the record: gaps in the figures are found by that time.
        retryAttempts: -1,
        maxRecordAge: Duration.minutes(givenUpMinutes),
        ...source,
      }),
    );
    return made;
  };
  const aggregate = consumer('aggregate-clicks', {
    batchSize: mostInBatch.aggregating,
    // More than one batch of a shard at once would overtake its watermark.
    parallelizationFactor: 1,
    // Names the shard, which the watermarks need.
    tumblingWindow: Duration.seconds(windowSeconds),
    // Clicks that come within it share the writes of their figures.
    ...(gathering > 0 && { maxBatchingWindow: Duration.seconds(gathering) }),
    filters: [ofVisitors],
  });
  if (stream) aggregate.allow(['firehose:PutRecordBatch'], [stream.attrArn]);
  const emit = consumer('emit-events', {
    batchSize: mostInBatch.emitting,
    // Changes that come within it share reads and messages.
    ...(telling > 0 && { maxBatchingWindow: Duration.seconds(telling) }),
    filters: [
      // What links and visitors do, and no figures of links, which lie beside them. Only projects' deletions remove links.
      rule({
        dynamodb: {
          Keys: { PK: { S: beginsWith(partitions.link) }, SK: { S: isEqual(sortKeys.link) } },
        },
      }),
      ofVisitors,
      rule({
        eventName: isEqual('REMOVE'),
        // Only deletions by TTL: a marker that an edit removes means nothing.
        userIdentity: { type: isEqual('Service'), principalId: isEqual('dynamodb.amazonaws.com') },
        dynamodb: { Keys: { SK: { S: isEqual(sortKeys.expiry) } } },
      }),
    ],
  });
  return { aggregate, emit, stream };
};

/** The CDK's own destination would let the function read and delete there as well. */
const into = (bucket: s3.Bucket, reader: ServiceFunction): lambda.IEventSourceDlq => ({
  bind() {
    reader.allow(['s3:PutObject'], [bucket.arnForObjects('*')]);
    reader.allow(['s3:ListBucket'], [bucket.bucketArn]);
    return { destination: bucket.bucketArn };
  },
});

import { Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { givenUpMinutes } from '../core/figures/watermarks.ts';
import type { FunctionName } from '../core/functions.ts';
import { partitions, sortKeys } from '../core/table/keys.ts';
import { ClickExport } from './click-export.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { gatheringOf, mostInBatch, tellingOf, windowSeconds } from './gathering.ts';
import { privateBucket } from './kept.ts';
import type { Service } from './service.ts';

/** What follows from writes to the table: figures from visitors' clicks, expired links from swept markers, events from all of them. */
export class Clicks extends Construct {
  readonly aggregate: ServiceFunction;
  readonly tell: ServiceFunction;
  readonly export?: ClickExport;

  constructor(scope: Construct, id: string, service: Service) {
    super(scope, id);
    const { config } = service;
    // What a mapping gave up on, for as long as anybody may want to look into it.
    const failures = privateBucket(this, 'Failures', config, { expiration: Duration.days(90) });
    const [gathering, telling] = [gatheringOf(config), tellingOf(config)];
    if (config.export) this.export = new ClickExport(this, 'Export', config);
    const known = {
      ...service,
      clickExportStream: this.export?.stream.ref,
      failuresBucket: this.export && failures.bucketName,
    };
    const { filter: rule } = lambda.FilterCriteria;
    const { beginsWith, isEqual, or } = lambda.FilterRule;
    const ofVisitors = rule({
      eventName: or('INSERT', 'MODIFY'),
      dynamodb: { Keys: { PK: { S: beginsWith(partitions.visitor) } } },
    });
    const shared = {
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: into(failures),
      // Given up by age alone, before the stream drops the record: gaps in the figures are found by that time.
      retryAttempts: -1,
      maxRecordAge: Duration.minutes(givenUpMinutes),
    };
    this.aggregate = this.consumer('aggregate-clicks', known, {
      ...shared,
      batchSize: mostInBatch.aggregating,
      // More than one batch of a shard at once would overtake its watermark.
      parallelizationFactor: 1,
      // Names the shard, which the watermarks need.
      tumblingWindow: Duration.seconds(windowSeconds),
      // Clicks that come within it share the writes of their figures.
      ...(gathering > 0 && { maxBatchingWindow: Duration.seconds(gathering) }),
      filters: [ofVisitors],
    });
    this.export?.grantPut(this.aggregate.function);
    this.tell = this.consumer('tell', known, {
      ...shared,
      batchSize: mostInBatch.telling,
      // Changes that come within it share reads and messages.
      ...(telling > 0 && { maxBatchingWindow: Duration.seconds(telling) }),
      filters: [
        // What links and visitors do, and no figures of links, which lie beside them.
        rule({
          eventName: or('INSERT', 'MODIFY'),
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
  }

  private consumer(
    name: FunctionName,
    service: Service,
    source: ConstructorParameters<typeof DynamoEventSource>[1],
  ): ServiceFunction {
    const made = new ServiceFunction(this, rowOf(name), service);
    made.function.addEventSource(new DynamoEventSource(service.table.table, source));
    return made;
  }
}

/** The CDK's own destination would let the function read and delete there as well. */
const into = (bucket: s3.Bucket): lambda.IEventSourceDlq => ({
  bind(_mapping, target) {
    target.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['s3:PutObject'], resources: [bucket.arnForObjects('*')] }),
    );
    target.addToRolePolicy(
      new iam.PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
    );
    return { destination: bucket.bucketArn };
  },
});

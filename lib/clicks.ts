import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, S3OnFailureDestination } from 'aws-cdk-lib/aws-lambda-event-sources';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { expiryKey, visitorPrefix } from '../core/store/keys.ts';
import { ServiceFunction } from './function.ts';
import type { ServiceTable } from './table.ts';

export interface ClicksProps {
  readonly table: ServiceTable;
}

/** What follows from writes to the table: figures from visitors' clicks, expired links from swept markers. */
export class Clicks extends Construct {
  constructor(scope: Construct, id: string, { table }: ClicksProps) {
    super(scope, id);
    const failures = new s3.Bucket(this, 'Failures', {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(90) }],
    });
    const { rule, beginsWith, isEqual, or } = {
      rule: lambda.FilterCriteria.filter,
      beginsWith: lambda.FilterRule.beginsWith,
      isEqual: lambda.FilterRule.isEqual,
      or: lambda.FilterRule.or,
    };
    const shared = {
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: new S3OnFailureDestination(failures),
    };
    this.consumer('AggregateClicks', 'aggregate-clicks', 'Adds clicks to the figures of their links', {
      table,
      operations: ['figures.add'],
      source: {
        ...shared,
        batchSize: 1000,
        // More than one batch of a shard at once would overtake its watermark.
        parallelizationFactor: 1,
        // Only with a window is the function told the shard, by which it knows what it has counted.
        tumblingWindow: Duration.minutes(15),
        // Never given up before the stream itself drops the record.
        retryAttempts: -1,
        filters: [
          rule({
            eventName: or('INSERT', 'MODIFY'),
            dynamodb: { Keys: { PK: { S: beginsWith(visitorPrefix) } } },
          }),
        ],
      },
    });
    this.consumer('ExpireLinks', 'expire-links', 'Stores that links have expired', {
      table,
      operations: ['links.expire'],
      source: {
        ...shared,
        batchSize: 100,
        retryAttempts: 10,
        filters: [
          rule({
            eventName: isEqual('REMOVE'),
            // Removals by time alone; a marker that an edit takes away means nothing.
            userIdentity: { type: isEqual('Service'), principalId: isEqual('dynamodb.amazonaws.com') },
            dynamodb: { Keys: { SK: { S: isEqual(expiryKey('', '').SK) } } },
          }),
        ],
      },
    });
  }

  private consumer(
    id: string,
    entry: string,
    description: string,
    {
      table,
      operations,
      source,
    }: {
      table: ServiceTable;
      operations: Parameters<ServiceTable['grant']>[1];
      source: ConstructorParameters<typeof DynamoEventSource>[1];
    },
  ): void {
    const { function: handler } = new ServiceFunction(this, id, {
      entry,
      description,
      environment: { TABLE_NAME: table.table.tableName },
      timeout: Duration.minutes(1),
    });
    table.grant(handler, operations);
    handler.addEventSource(new DynamoEventSource(table.table, source));
  }
}

import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { grantsFor, type Operation } from '../core/table/access.ts';
import { tableSchema } from '../core/table/keys.ts';
import type { Config } from './config.ts';

const string = (name: string) => ({ name, type: dynamodb.AttributeType.STRING });

/** What each table has. In prod its data stays whatever happens to the stack. */
const kept = ({ like }: Config) => ({
  partitionKey: string(tableSchema.partitionKey),
  sortKey: string(tableSchema.sortKey),
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  deletionProtection: like === 'prod',
  removalPolicy: like === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
});

const billing = (capacity: Config['capacity']) =>
  typeof capacity === 'object'
    ? {
        billingMode: dynamodb.BillingMode.PROVISIONED,
        readCapacity: capacity.reads,
        writeCapacity: capacity.writes,
      }
    : { billingMode: dynamodb.BillingMode.PAY_PER_REQUEST };

/** The single table of the service. */
export class ServiceTable extends Construct {
  readonly table: dynamodb.ITable;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const { adopted } = config;
    this.table = adopted
      ? dynamodb.Table.fromTableAttributes(this, 'Table', {
          tableName: adopted.name,
          tableStreamArn: adopted.streamArn,
        })
      : this.ownTable(config);
  }

  private ownTable(config: Config): dynamodb.Table {
    const { warmThroughput: warm, capacity } = config;
    const { ttl, listings } = tableSchema;
    const table = new dynamodb.Table(this, 'Table', {
      ...kept(config),
      timeToLiveAttribute: ttl,
      ...billing(capacity),
      stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
      ...(warm && { warmThroughput: { readUnitsPerSecond: warm[0], writeUnitsPerSecond: warm[1] } }),
    });
    table.addGlobalSecondaryIndex({
      indexName: listings.name,
      partitionKey: string(listings.partitionKey),
      sortKey: string(listings.sortKey),
      // Projects, keys and hosts change seldom.
      ...(typeof capacity === 'object' && { readCapacity: 5, writeCapacity: 5 }),
    });
    return table;
  }

  /**
   * Lets a function do exactly what these operations take, on the items that they touch. Each of the actions names
   * its partition keys in every request, so a condition on all of them leaves no request without one.
   */
  grant(grantee: lambda.Function, operations: readonly Operation[]): void {
    for (const { actions, leadingKeys } of grantsFor(operations)) {
      grantee.addToRolePolicy(
        new iam.PolicyStatement({
          actions: actions.map((action) => `dynamodb:${action}`),
          resources: [this.table.tableArn],
          conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } },
        }),
      );
    }
  }
}

/**
 * What operators took down and gave back: a table of its own, so that the record survives when the service's table is
 * lost or goes back to an earlier moment. No function may reach it.
 */
export class TakedownRecord extends Construct {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const table = new dynamodb.Table(this, 'Record', { ...kept(config), ...billing('on-demand') });
    new CfnOutput(Stack.of(this), 'TakedownTable', { value: table.tableName });
  }
}

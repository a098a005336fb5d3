import { CfnOutput, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { tableSchema } from '../core/table/keys.ts';
import type { Config } from './config.ts';
import { isProtected } from './retained.ts';

const string = (name: string) => ({ name, type: dynamodb.AttributeType.STRING });

/** Properties of each table. In prod its data outlives the stack. */
const kept = (config: Config) => ({
  partitionKey: string(tableSchema.partitionKey),
  sortKey: string(tableSchema.sortKey),
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  deletionProtection: isProtected(config),
  removalPolicy:
    config.removalPolicy ?? (config.like === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY),
  ...(config.encryptionKey && {
    encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: config.encryptionKey,
  }),
});

const billing = (capacity: Config['capacity']) =>
  typeof capacity === 'object'
    ? {
        billingMode: dynamodb.BillingMode.PROVISIONED,
        readCapacity: capacity.reads,
        writeCapacity: capacity.writes,
      }
    : { billingMode: dynamodb.BillingMode.PAY_PER_REQUEST };

/** The service's single table. */
export const addTable = (stack: Stack, config: Config): dynamodb.ITable => {
  const scope = new Construct(stack, 'Data');
  const { adopted, capacity } = config;
  const { ttl, listings } = tableSchema;
  if (adopted)
    return dynamodb.Table.fromTableAttributes(scope, 'Table', {
      tableName: adopted.name,
      tableStreamArn: adopted.streamArn,
    });
  const table = new dynamodb.Table(scope, 'Table', {
    ...kept(config),
    timeToLiveAttribute: ttl,
    ...billing(capacity),
    stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
    ...warm(config),
  });
  table.addGlobalSecondaryIndex({
    indexName: listings.name,
    partitionKey: string(listings.partitionKey),
    sortKey: string(listings.sortKey),
    // Projects, keys and hosts rarely change.
    ...(typeof capacity === 'object' && { readCapacity: 5, writeCapacity: 5 }),
  });
  return table;
};

/** The second region's copy of what visitors' requests read. It has as much warm throughput as the service's table. */
export const addCopy = (stack: Stack, config: Config): dynamodb.ITable =>
  new dynamodb.Table(stack, 'Copy', {
    ...kept(config),
    ...billing('on-demand'),
    ...warm(config),
  });

const warm = ({ warmThroughput: units }: Config) =>
  units && { warmThroughput: { readUnitsPerSecond: units[0], writeUnitsPerSecond: units[1] } };

/**
 * The record of takedowns, in its own table, so that it survives if the service's table is lost or restored to an
 * earlier time. No function has access to it.
 */
export const addTakedownRecord = (stack: Stack, config: Config): void => {
  const scope = new Construct(stack, 'Takedowns');
  const table = new dynamodb.Table(scope, 'Record', { ...kept(config), ...billing('on-demand') });
  new CfnOutput(stack, 'TakedownTable', { value: table.tableName });
};

import { tableSchema } from '../../core/table/keys.ts';

const { partitionKey, sortKey, ttl, listings } = tableSchema;

const keySchema = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

/**
 * The template's table, for tests that need a table but no stack, because a synthesis takes seconds. A test of the
 * template compares both.
 */
export const tableProperties = {
  AttributeDefinitions: [partitionKey, sortKey, listings.partitionKey, listings.sortKey].map((name) => ({
    AttributeName: name,
    AttributeType: 'S',
  })),
  BillingMode: 'PAY_PER_REQUEST',
  DeletionProtectionEnabled: false,
  GlobalSecondaryIndexes: [
    { IndexName: listings.name, KeySchema: keySchema(listings), Projection: { ProjectionType: 'ALL' } },
  ],
  KeySchema: keySchema(tableSchema),
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  TimeToLiveSpecification: { AttributeName: ttl, Enabled: true },
};

/** The template's table of takedowns. */
export const recordProperties = {
  AttributeDefinitions: [partitionKey, sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  BillingMode: 'PAY_PER_REQUEST',
  DeletionProtectionEnabled: false,
  KeySchema: keySchema(tableSchema),
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
};

import { tableProperties } from '../support/table-properties.ts';

const { AttributeDefinitions, GlobalSecondaryIndexes, KeySchema } = tableProperties;

const schema = (...names: readonly string[]) =>
  names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' }));
const defined = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };

/** The product's table, and others with other parts. */
export const judgedTables = {
  Product: {
    TableName: 'Product',
    AttributeDefinitions,
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes,
    KeySchema,
    StreamSpecification,
  },
  Numbered: {
    TableName: 'Numbered',
    AttributeDefinitions: defined({ id: 'S', num: 'N', kind: 'S', text: 'S' }),
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schema('id', 'num'),
    GlobalSecondaryIndexes: [
      { IndexName: 'kinds', KeySchema: schema('kind', 'num'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'texts',
        KeySchema: schema('id', 'text'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['n', 'm'] },
      },
    ],
    StreamSpecification,
  },
  Single: {
    TableName: 'Single',
    AttributeDefinitions: defined({ raw: 'B' }),
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schema('raw'),
  },
} as const;

export type TableName = keyof typeof judgedTables;

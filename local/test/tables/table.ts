import type { TableResource } from '../../assembly/assembly.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';

export const keys = [
  { AttributeName: 'PK', KeyType: 'HASH' },
  { AttributeName: 'SK', KeyType: 'RANGE' },
];
export const aTable = (name: string, changes: object = {}): TableResource => ({
  id: `${name}Resource`,
  name,
  arn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`,
  ttlAttribute: 'ttl',
  properties: {
    KeySchema: keys,
    AttributeDefinitions: ['PK', 'SK', 'owner'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-owner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    ...changes,
  },
});
export const key = (id: string) => ({ PK: { S: id }, SK: { S: 'x' } });

export let engine: Engine;
export let client: EngineClient;

beforeAll(async () => {
  engine = await startEngine({ engine: 'sqlite' });
  client = engineClient(engine.endpoint);
});

afterAll(async () => {
  client.close();
  await engine.stop();
});

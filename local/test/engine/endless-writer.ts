import { startEngine } from '../../engine/engine.ts';
import { engineClient } from '../../engine/engine-client.ts';

/** Writes ascending numbers and prints each acknowledged one, until it is killed. */
const engine = await startEngine({ engine: 'dynoxide', data: process.argv[2] ?? '' });
const { call } = engineClient(engine.endpoint);
await call('CreateTable', {
  TableName: 'Written',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
});
for (let n = 1; ; n++) {
  await call('PutItem', { TableName: 'Written', Item: { PK: { S: 'counter' }, n: { N: String(n) } } });
  console.log(n);
}

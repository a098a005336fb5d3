import { startEngine } from '../../engine/engine.ts';
import { engineClient } from '../../engine/engine-client.ts';
import { sharedHold } from '../../engine/held-records.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';

/**
 * Writes ascending numbers and prints each acknowledged one, until it is killed: `engine` writes by the engine, `gateway`
 * beside it, and `failing` beside it on a disk that fails at the tenth sync.
 */
const [, , data = '', writer = ''] = process.argv;
const engine = await startEngine({ engine: 'dynoxide', data });
let syncs = 0;
const failing = async () => {
  syncs += 1;
  if (syncs === 10) throw new Error('the disk fails');
};
const gateway = await startTableGateway({
  endpoint: engine.endpoint,
  tables: [],
  principals: new Map(),
  enforce: false,
  sharesCommits: true,
  ...(engine.file !== undefined && { file: engine.file }),
  ...(writer !== 'engine' && {
    writesBeside: {
      version: engine.version,
      held: sharedHold(),
      ...(writer === 'failing' && { sync: failing }),
    },
  }),
});
const { call } = engineClient(gateway.endpoint);
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

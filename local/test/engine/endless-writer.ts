import { sharedHold } from '../../engine/sqlite/held-records.ts';
import { openSqliteEngine } from '../../engine/sqlite/sqlite-engine.ts';

/** Writes ascending numbers and prints each acknowledged one, until it is killed, or its disk fails at the tenth sync. */
const [, , folder = '', disk = ''] = process.argv;
let syncs = 0;
const failing = async () => {
  syncs += 1;
  if (syncs === 10) throw new Error('the disk fails');
};
const engine = openSqliteEngine({ folder, held: sharedHold(), ...(disk === 'failing' && { sync: failing }) });
const call = async (operation: string, input: object) => {
  const { status, text } = await engine.call(operation, { ...input });
  if (status !== 200) throw new Error(text);
};
await call('CreateTable', {
  TableName: 'Written',
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
});
for (let n = 1; ; n++) {
  await call('PutItem', { TableName: 'Written', Item: { PK: { S: 'counter' }, n: { N: String(n) } } });
  console.log(n);
}

import { DatabaseSync } from 'node:sqlite';
import type { TableResource } from '../../assembly/assembly.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { engineClient } from '../../engine/engine-client.ts';
import { startEngineProxy } from '../../engine/engine-proxy.ts';
import { sharedHold } from '../../engine/held-records.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aTable, key } from '../tables/table.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine({ engine: 'dynoxide' });
});
afterEach(() => engine.stop());

/** A gateway to a table; it tells what reaches the engine, and what is logged. */
const openGateway = async (table: TableResource, version = engine.version) => {
  await ensureTables(engine.endpoint, [table]);
  const calls: string[] = [];
  const logged: string[] = [];
  const proxy = await startEngineProxy(engine.endpoint, ({ operation }, forward) => {
    calls.push(operation);
    return forward();
  });
  const { endpoint, stop } = await startTableGateway({
    endpoint: proxy.endpoint,
    principals: new Map(),
    tables: [table],
    enforce: true,
    sharesCommits: true,
    file: engine.file ?? '',
    writesBeside: { version, held: sharedHold() },
    log: (text) => logged.push(text),
  });
  const client = engineClient(endpoint);
  return {
    calls,
    logged,
    client,
    stop: async () => {
      client.close();
      await stop();
      await proxy.stop();
    },
  };
};

/** Writes an item three times. */
const writeTo = async (table: TableResource, item: object, version = engine.version) => {
  const { calls, logged, client, stop } = await openGateway(table, version);
  for (const n of ['1', '2', '3'])
    await client.call('PutItem', { TableName: table.name, Item: { ...item, n: { N: n } } });
  await stop();
  return { calls: calls.length, logged };
};

const inFile = (statement: string) => {
  const database = new DatabaseSync(engine.file ?? '');
  database.exec(statement);
  database.close();
};

test('a form of writes is made beside the engine once the engine has made one', async () => {
  expect(await writeTo(aTable('Known'), key('a'))).toEqual({ calls: 1, logged: [] });
});

test.each<[string, () => void, string | undefined]>([
  ['the engine is not dynoxide 1.2.1', () => undefined, 'dynoxide 1.2.2'],
  [
    'its records have other columns',
    () => inFile('ALTER TABLE _stream_records ADD COLUMN more TEXT'),
    undefined,
  ],
  ['its list of tables has others', () => inFile('ALTER TABLE _tables ADD COLUMN more TEXT'), undefined],
  [
    'the file has another version',
    () => inFile("UPDATE _config SET value = '10' WHERE key = 'schema_version'"),
    undefined,
  ],
])('the engine makes all writes, and one line says so, where %s', async (_, change, version) => {
  change();
  const { calls, logged } = await writeTo(aTable('Unknown'), key('a'), version);
  expect(calls).toBe(3);
  expect(logged).toEqual([expect.stringMatching(/^The engine makes all writes, which takes more time: /)]);
});

const numbered = aTable('Numbered', {
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'N' }],
  GlobalSecondaryIndexes: undefined,
});

test.each<[string, TableResource, object]>([
  ['the key is a number', numbered, { PK: { N: '1' } }],
  ['an index has the item', aTable('Indexed'), { ...key('a'), owner: { S: 'somebody' } }],
  ['an attribute is a set', aTable('Sets'), { ...key('a'), set: { SS: ['one'] } }],
  ['a number has another spelling', aTable('Spelled'), { ...key('a'), other: { N: '1.0' } }],
])('the engine makes a write where %s', async (_, table, item) => {
  expect(await writeTo(table, item)).toEqual({ calls: 3, logged: [] });
});

test('a table that is made anew gets the items that its new key names', async () => {
  const short = {
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    GlobalSecondaryIndexes: undefined,
  };
  const { client, stop } = await openGateway(aTable('Anew', short));
  const TableName = 'Anew';
  const put = (item: object) => client.call('PutItem', { TableName, Item: { ...key('a'), ...item } });
  for (let i = 0; i < 3; i += 1) await put({});
  await client.call('DeleteTable', { TableName });
  await ensureTables(engine.endpoint, [aTable(TableName)]);
  for (const SK of ['x', 'y', 'z']) await put({ SK: { S: SK } });
  const { Count } = await client.call<{ Count: number }>('Scan', { TableName });
  expect(Count).toBe(3);
  await stop();
});

import type { JsonService } from '../../base/json-service.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { type Intercept, startEngineProxy } from '../../engine/engine-proxy.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aTable, engine, key } from '../tables/table.ts';

const table = aTable('Filed');
const TableName = 'Filed';
let intercept: Intercept;
let proxy: JsonService;
let gateway: JsonService;
let caller: EngineClient;

beforeAll(async () => {
  await ensureTables(engine.endpoint, [table]);
  proxy = await startEngineProxy(engine.endpoint, (call, forward) => intercept(call, forward));
  gateway = await startTableGateway({
    endpoint: proxy.endpoint,
    principals: new Map(),
    tables: [table],
    enforce: true,
    sharesCommits: true,
    ...(engine.file !== undefined && { file: engine.file }),
  });
  caller = engineClient(gateway.endpoint);
});
beforeEach(() => {
  intercept = (_, forward) => forward();
});
afterAll(async () => {
  caller.close();
  await gateway.stop();
  await proxy.stop();
});

const add = (id: string) =>
  caller.call<{ Attributes?: { n: { N: string } } }>('UpdateItem', {
    TableName,
    Key: key(id),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ReturnValues: 'ALL_OLD',
  });
const get = (id: string) =>
  caller.call<{ Item?: { n: { N: string } } }>('GetItem', { TableName, Key: key(id), ConsistentRead: true });

test('a read does not wait for a write that runs', async () => {
  await add('read');
  const held = Promise.withResolvers<void>();
  const calls: string[] = [];
  intercept = async ({ operation }, forward) => {
    calls.push(operation);
    await held.promise;
    return forward();
  };
  const writing = add('written');
  expect(await get('read')).toEqual({ Item: { ...key('read'), n: { N: '1' } } });
  expect(await get('none')).toEqual({});
  held.resolve();
  await writing;
  expect(calls).toEqual(['UpdateItem']);
});

test('writes at once get the old attributes in one order, and reads see what is acknowledged', async () => {
  const ids = ['a', 'b', 'c'];
  const seen = new Map<string, number[]>(ids.map((id) => [id, []]));
  const addAndRead = async (id: string) => {
    const { Attributes } = await add(id);
    const old = Number(Attributes?.n.N ?? 0);
    seen.get(id)?.push(old);
    expect(Number((await get(id)).Item?.n.N)).toBeGreaterThan(old);
  };
  const calls = new Set<string>();
  intercept = ({ operation }, forward) => {
    calls.add(operation);
    return forward();
  };
  await Promise.all(Array.from({ length: 60 }, (_, i) => addAndRead(ids[i % ids.length] ?? '')));
  const inOrder = Array.from({ length: 20 }, (_, i) => i);
  for (const id of ids) expect(seen.get(id)?.toSorted((one, other) => one - other)).toEqual(inOrder);
  expect([...calls].sort()).toEqual(['TransactWriteItems', 'UpdateItem']);
});

test.each<[string, object]>([
  ['has more than the key', { ...key('a'), n: { N: '1' } }],
  ['lacks the key', { other: { S: 'a' } }],
  ['is empty', { id: { S: '' } }],
])('a read whose key %s gets the answer of the engine', async (_, Key) => {
  const direct = engineClient(engine.endpoint);
  const answerOf = (client: EngineClient) =>
    client.call('GetItem', { TableName, Key }).catch((error) => `${error.name}: ${error.message}`);
  expect(await answerOf(caller)).toEqual(await answerOf(direct));
  direct.close();
});

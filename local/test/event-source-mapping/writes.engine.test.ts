import { Worker } from 'node:worker_threads';
import type { JsonService } from '../../base/json-service.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { sharedCount, writeCount } from '../../table-gateway/write-count.ts';
import { accept, aStream, engine, until } from './stream.ts';

const never = 2 ** 30;

let gateway: JsonService;
let counted: EngineClient;
const shared = sharedCount();
const writes = writeCount(shared);

beforeAll(async () => {
  const options = { engine: engine.endpoint, principals: new Map(), tables: [], enforce: true };
  gateway = await startTableGateway({ ...options, writes: shared });
  counted = engineClient(gateway.endpoint);
});
afterAll(async () => {
  counted.close();
  await gateway.stop();
});

const item = (id: string) => ({ id: { S: id } });

test('a shard at its end is read after a counted write, and not before', async () => {
  const { table, put, start } = await aStream();
  const { mapping, ids } = start(accept, {}, { writes, unseenMs: never });
  await mapping.idle();
  for (const id of ['one', 'two', 'three']) await put(id);
  await counted.call('PutItem', { TableName: table.name, Item: item('counted') });
  await until(() => ids().length > 0);
  expect(ids()).toEqual([['one', 'two', 'three', 'counted']]);
});

test('writes past the count are found as well, later', async () => {
  const { put, start } = await aStream();
  const { mapping, ids } = start(accept, {}, { writes, unseenMs: 10 });
  await mapping.idle();
  await put('uncounted');
  await until(() => ids().length > 0);
  expect(ids()).toEqual([['uncounted']]);
});

test('a wait for the end of a shard waits for no write', async () => {
  const { put, start } = await aStream();
  const { mapping, ids } = start(accept, {}, { writes, unseenMs: never });
  await mapping.idle();
  await put('uncounted');
  await mapping.idle();
  expect(ids()).toEqual([['uncounted']]);
});

test('a tumbling window ends without another write', async () => {
  const { table, start } = await aStream();
  const counting = () => ({ ok: true as const, payload: { state: {} } });
  const { events } = start(counting, { tumblingWindowSeconds: 1 }, { writes, unseenMs: never });
  await counted.call('PutItem', { TableName: table.name, Item: item('counted') });
  await until(() => events.some(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow === true));
  expect(events.map(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow)).toEqual([false, true]);
});

test.each<[string, (TableName: string) => object, number]>([
  ['GetItem', (TableName) => ({ TableName, Key: item('a') }), 0],
  ['Scan', (TableName) => ({ TableName }), 0],
  ['PutItem', (TableName) => ({ TableName, Item: item('a') }), 1],
  ['DeleteItem', (TableName) => ({ TableName, Key: item('a') }), 1],
  ['TransactWriteItems', (TableName) => ({ TransactItems: [{ Put: { TableName, Item: item('b') } }] }), 1],
  ['BatchWriteItem', (table) => ({ RequestItems: { [table]: [{ PutRequest: { Item: item('c') } }] } }), 1],
])('%s counts', async (operation, input, count) => {
  const { table } = await aStream();
  const before = writes.value;
  await counted.call(operation, input(table.name));
  expect(writes.value - before).toBe(count);
});

test('a write without an answer counts, because the engine may have made it', async () => {
  const before = writes.value;
  const down = await startTableGateway({
    engine: 'http://127.0.0.1:1',
    principals: new Map(),
    tables: [],
    enforce: true,
    writes: shared,
  });
  const client = engineClient(down.endpoint);
  await expect(client.call('PutItem', {})).rejects.toThrow('ECONNREFUSED');
  expect(writes.value - before).toBe(1);
  client.close();
  await down.stop();
});

test('the count of another thread ends a wait, and so does its signal', async () => {
  const ending = new AbortController();
  const { value } = writes;
  const waits = [1, 2].map(() => writes.movedOn(value, new AbortController().signal));
  const stopped = writes.movedOn(value, ending.signal);
  ending.abort();
  await stopped;
  expect(writes.value).toBe(value);
  const file = require.resolve('../../table-gateway/write-count.ts');
  const code = `import(${JSON.stringify(file)}).then(({ writeCount }) => writeCount(require('node:worker_threads').workerData).add())`;
  new Worker(code, { eval: true, workerData: shared });
  await Promise.all(waits);
  expect(writes.value).toBe(value + 1);
  // A counted write is not waited for.
  await writes.movedOn(value, new AbortController().signal);
});

import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { connect, serviceAccess } from '../../../core/table/connection.ts';
import { openItems } from '../../../core/table/items.ts';
import { forVisitors } from '../../../core/table/retry-policy.ts';
import type { ReadsAndUpdates } from '../../../core/table/table.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

let server: ScriptedServer;
let table: ReadsAndUpdates;
beforeEach(async () => {
  server = await startScriptedServer();
  table = openItems(connect(serviceAccess({ AWS_ENDPOINT_URL_DYNAMODB: server.endpoint }, 'dynamodb')), {
    name: 'links',
    policy: { ...forVisitors, whileBusy: 'count', deadlineMs: 20_000 },
  });
});
afterEach(() => server.stop());

const key = { PK: 'LINK#acme#launch', SK: 'LINK' };
const item = { Item: { PK: { S: key.PK } } };

/** Opens this many connections, which stay in the pool. */
const fillPool = async (connections: number) => {
  const waiting: (() => void)[] = [];
  server.answer = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(item));
      if (waiting.length === connections) for (const answer of waiting) answer();
    });
  await Promise.all(Array.from({ length: connections }, () => table.get(key)));
  server.calls.length = 0;
};

test.each([1, 2, 3, 7])('%i dead pooled connections use up no attempt', async (dead) => {
  await fillPool(dead);
  server.answer = ({ connection }) => (connection <= dead ? 'reset' : item);
  expect(await table.get(key)).toEqual({ PK: key.PK });
  expect(server.calls).toHaveLength(dead + 1);
});

test('a request that a dead pooled connection could not take uses up no attempt', async () => {
  const sockets: Socket[] = [];
  const noted = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  diagnostics.subscribe('net.client.socket', noted);
  await fillPool(1);
  server.answer = ({ connection }) => {
    if (connection > 1) return { refused: 'ThrottlingException' };
    // As a failed write of a half-closed connection ends.
    sockets[0]?.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    return 'hang';
  };
  await expect(table.get(key)).rejects.toMatchObject({ name: 'ThrottlingException' });
  diagnostics.unsubscribe('net.client.socket', noted);
  expect(server.calls).toHaveLength(1 + 3);
});

test('a server that resets every connection is called three times', async () => {
  server.answer = () => 'reset';
  await expect(table.get(key)).rejects.toMatchObject({ name: 'ConnectionLost' });
  expect(server.calls).toHaveLength(3);
});

test('after a pooled connection that hangs comes a fresh one', async () => {
  await fillPool(2);
  const hasty = openLeanTable(server.endpoint, { deadlineMs: 1000 });
  server.answer = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return item;
  };
  await Promise.all([hasty.get(key), hasty.get(key)]);
  const pooled = server.calls.map(({ connection }) => connection);
  expect(new Set(pooled)).toHaveProperty('size', 2);
  server.calls.length = 0;
  server.answer = ({ connection }) => (pooled.includes(connection) ? 'hang' : item);
  expect(await hasty.get(key)).toEqual({ PK: key.PK });
  expect(server.calls).toHaveLength(2);
});

test('a call to an unresponsive table ends at the deadline', async () => {
  server.answer = () => 'hang';
  const hasty = openLeanTable(server.endpoint, { deadlineMs: 100 });
  await expect(hasty.get(key)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test.each([
  ['InternalServerError', [1, 1, 2]],
  ['ThrottlingException', [1, 1, 1]],
])('three attempts that end with %s are on the connections %j', async (refused, connections) => {
  await fillPool(1);
  server.answer = () => ({ refused });
  await expect(table.get(key)).rejects.toMatchObject({ name: refused });
  expect(server.calls.map(({ connection }) => connection)).toEqual(connections);
});

test('a throttled read of a visitor goes on for longer than a failing one', async () => {
  const answers = [...Array.from({ length: 5 }, () => ({ refused: 'ThrottlingException' })), item];
  server.answer = () => answers.shift() ?? 'hang';
  expect(await openLeanTable(server.endpoint).get(key)).toEqual({ PK: key.PK });
});

test('a throttled read becomes eventually consistent at the third attempt', async () => {
  const answers = [{ refused: 'ThrottlingException' }, { refused: 'ThrottlingException' }, item];
  server.answer = () => answers.shift() ?? 'hang';
  expect(await table.get(key)).toEqual({ PK: key.PK });
  expect(server.calls.map(({ input }) => input.ConsistentRead)).toEqual([true, true, false]);
});

test('a final refusal of DynamoDB is not repeated', async () => {
  server.answer = () => ({ refused: 'ValidationException' });
  await expect(table.get(key)).rejects.toMatchObject({ name: 'ValidationException' });
  expect(server.calls).toHaveLength(1);
});

test.each([
  ['dynamodb', 'DynamoDB_20120810.Call', 'application/x-amz-json-1.0'],
  ['sqs', 'AmazonSQS.Call', 'application/x-amz-json-1.0'],
  ['events', 'AWSEvents.Call', 'application/x-amz-json-1.1'],
  ['firehose', 'Firehose_20150804.Call', 'application/x-amz-json-1.1'],
  ['secretsmanager', 'secretsmanager.Call', 'application/x-amz-json-1.1'],
] as const)('%s takes its calls as %s in %s', async (service, target, type) => {
  const call = connect(serviceAccess({ AWS_ENDPOINT_URL: server.endpoint }, service));
  await call({ action: 'Call', input: {}, until: Date.now() + 20_000, isFresh: false });
  expect(server.calls[0]?.headers).toMatchObject({ 'x-amz-target': target, 'content-type': type });
});

test.each([
  [{}, 'https://dynamodb.us-east-1.amazonaws.com/'],
  [{ AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn/'],
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, 'http://127.0.0.1:4566/'],
  [{ AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_DYNAMODB: 'http://its-own' }, 'http://its-own/'],
])('the environment %j leads to %s', (environment, endpoint) => {
  expect(serviceAccess(environment, 'dynamodb').endpoint.href).toBe(endpoint);
});

import { tableAccess } from '../../../core/table/lean-client.ts';
import type { ReadsAndUpdates } from '../../../core/table/table.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

let server: ScriptedServer;
let table: ReadsAndUpdates;
beforeEach(async () => {
  server = await startScriptedServer();
  table = openLeanTable(server.endpoint);
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

test('a pooled connection that hangs leaves time for a fresh one', async () => {
  await fillPool(2);
  const hasty = openLeanTable(server.endpoint, { deadlineMs: 1000 });
  server.answer = () => item;
  await hasty.get(key);
  const hanging = server.calls.at(-1)?.connection;
  server.answer = ({ connection }) => (connection === hanging ? 'hang' : item);
  expect(await hasty.get(key)).toEqual({ PK: key.PK });
});

test('a call to an unresponsive table ends at the deadline', async () => {
  server.answer = () => 'hang';
  const hasty = openLeanTable(server.endpoint, { deadlineMs: 100 });
  await expect(hasty.get(key)).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('there are three attempts, the last on a new connection', async () => {
  await fillPool(1);
  const answers = [{ refused: 'InternalServerError' }, { refused: 'ThrottlingException' }, item];
  server.answer = () => answers.shift() ?? 'hang';
  expect(await table.get(key)).toEqual({ PK: key.PK });
  server.answer = () => ({ refused: 'ThrottlingException' });
  await expect(table.get(key)).rejects.toMatchObject({ name: 'ThrottlingException' });
  const connections = server.calls.map(({ connection }) => connection);
  expect(connections).toHaveLength(6);
  expect(connections[0]).toBe(connections[1]);
  expect(new Set(connections)).toHaveProperty('size', 3);
});

test('a throttled read becomes eventually consistent at the last attempt', async () => {
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

test('a query reads page after page', async () => {
  const pages = [
    { Items: [{ n: { N: '1' } }], LastEvaluatedKey: { PK: { S: 'a' } } },
    { Items: [{ n: { N: '2' } }] },
  ];
  server.answer = () => pages.shift() ?? 'hang';
  const input = { KeyConditionExpression: 'PK = :all', ExpressionAttributeValues: { ':all': 'A' } };
  expect(await table.query(input)).toEqual([{ n: 1 }, { n: 2 }]);
  expect(server.calls[1]?.input.ExclusiveStartKey).toEqual({ PK: { S: 'a' } });
});

test.each([
  [{}, 'https://dynamodb.us-east-1.amazonaws.com/'],
  [{ AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn/'],
  [{ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, 'http://127.0.0.1:4566/'],
  [{ AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_DYNAMODB: 'http://its-own' }, 'http://its-own/'],
])('the environment %j leads to %s', (environment, endpoint) => {
  expect(tableAccess(environment).endpoint.href).toBe(endpoint);
});

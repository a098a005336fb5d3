import * as fc from 'fast-check';
import { type JsonService, refusal } from '../../base/json-service.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { type EngineAnswer, type Intercept, startEngineProxy } from '../../engine/engine-proxy.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aTable, engine, key } from '../tables/table.ts';

const table = aTable('Shared');
const TableName = 'Shared';
/** Calls that reached the engine, in order. */
let calls: string[] = [];
let intercept: Intercept;
let release: () => void;
let proxy: JsonService;
let gateway: JsonService;
let caller: EngineClient;

/** Holds the first call, so that calls sent meanwhile share a commit. */
const holdFirst = () => {
  calls = [];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  intercept = async ({ operation }, forward) => {
    calls.push(operation);
    if (calls.length === 1) await held;
    return forward();
  };
};

beforeAll(async () => {
  await ensureTables(engine.endpoint, [table]);
  proxy = await startEngineProxy(engine.endpoint, (call, forward) => intercept(call, forward));
  gateway = await startTableGateway({
    endpoint: proxy.endpoint,
    principals: new Map(),
    tables: [table],
    enforce: true,
    sharesCommits: true,
  });
  caller = engineClient(gateway.endpoint);
});
beforeEach(holdFirst);
afterAll(async () => {
  caller.close();
  await gateway.stop();
  await proxy.stop();
});

let made = 0;
const fresh = () => `item-${made++}`;
const adding = (id: string, more: object = {}) => ({
  TableName,
  Key: key(id),
  UpdateExpression: 'ADD n :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
  ...more,
});
const add = (id: string, more: object = {}) =>
  caller.call<{ Attributes?: { n?: { N: string } } }>('UpdateItem', adding(id, more));
const get = (id: string, more: object = {}) =>
  caller.call<{ Item?: { n?: { N: string } } }>('GetItem', { TableName, Key: key(id), ...more });
const countOf = async (id: string) => Number((await get(id)).Item?.n?.N ?? 0);
/** The outcomes of calls that were all sent behind a held one. */
const behindAHeldOne = async <Result>(first: Promise<unknown>, others: readonly Promise<Result>[]) => {
  const settled = Promise.allSettled(others);
  // The others have reached the gateway once a later call has its response; ListTables is not held.
  await caller.call('ListTables', {});
  release();
  await first;
  return settled;
};
const failed = { ConditionExpression: 'attribute_exists(absent)' };

test('writes that arrive during another share a transaction', async () => {
  const [first, ...ids] = Array.from({ length: 9 }, fresh);
  await behindAHeldOne(
    add(first ?? ''),
    ids.map((id) => add(id)),
  );
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'TransactWriteItems']);
  expect(await Promise.all(ids.map(countOf))).toEqual(ids.map(() => 1));
});

test('writes to one item follow each other', async () => {
  const [one, other] = [fresh(), fresh()];
  await behindAHeldOne(
    add(fresh()),
    [one, one, other, one].map((id) => add(id)),
  );
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'TransactWriteItems', 'UpdateItem', 'UpdateItem']);
  expect(await Promise.all([one, other].map(countOf))).toEqual([3, 1]);
});

test('a single write is passed on unchanged', async () => {
  release();
  await add(fresh());
  await add(fresh());
  expect(calls).toEqual(['UpdateItem', 'UpdateItem']);
});

test('an item that a write makes had no old attributes, shared or alone', async () => {
  const [alone, known] = [fresh(), fresh()];
  const old = { ReturnValues: 'ALL_OLD' };
  release();
  expect(await add(alone, old)).toEqual({});
  await add(known);
  expect(await add(known, old)).toEqual({ Attributes: { ...key(known), n: { N: '1' } } });
});

test('each call gets the response that it would have got alone', async () => {
  const [known, unknown, kept, gone] = [fresh(), fresh(), fresh(), fresh()];
  release();
  await Promise.all([known, kept, gone].map((id) => add(id)));
  holdFirst();
  const old = { ReturnValues: 'ALL_OLD', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const outcomes = await behindAHeldOne(add(fresh()), [
    add(known, old),
    add(unknown, old),
    caller.call('PutItem', { TableName, Item: { ...key(fresh()), n: { N: '7' } } }),
    caller.call('DeleteItem', { TableName, Key: key(gone), ReturnValues: 'ALL_OLD' }),
  ]);
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'TransactGetItems', 'TransactWriteItems']);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: { Attributes: { ...key(known), n: { N: '1' } } } },
    { status: 'fulfilled', value: {} },
    { status: 'fulfilled', value: {} },
    { status: 'fulfilled', value: { Attributes: { ...key(gone), n: { N: '1' } } } },
  ]);
  expect(await Promise.all([known, unknown, gone].map(countOf))).toEqual([2, 1, 0]);
});

const putting = (...ids: string[]) => ({
  RequestItems: {
    [TableName]: ids.map((id) => ({ PutRequest: { Item: { ...key(id), n: { N: '1' } } } })),
  },
});

test('a batch is one commit, together with the writes beside it', async () => {
  const [gone, ...ids] = Array.from({ length: 34 }, fresh);
  release();
  await caller.call('BatchWriteItem', putting(gone ?? '', ...ids.slice(0, 24)));
  expect(calls).toEqual(['TransactWriteItems']);
  holdFirst();
  const removing = { [TableName]: [{ DeleteRequest: { Key: key(gone ?? '') } }] };
  const outcomes = await behindAHeldOne<object>(add(fresh()), [
    caller.call('BatchWriteItem', putting(...ids.slice(0, 15))),
    caller.call('BatchWriteItem', { RequestItems: removing }),
    ...ids.slice(15).map((id) => add(id)),
  ]);
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'TransactWriteItems']);
  expect(outcomes.slice(0, 3)).toEqual([
    { status: 'fulfilled', value: { UnprocessedItems: {} } },
    { status: 'fulfilled', value: { UnprocessedItems: {} } },
    { status: 'fulfilled', value: {} },
  ]);
  const counts = await Promise.all(ids.map(countOf));
  expect(counts).toEqual(ids.map((_, index) => (index >= 15 && index < 24 ? 2 : 1)));
  expect(await countOf(gone ?? '')).toBe(0);
});

test('a batch waits for a write to one of its items', async () => {
  const [one, other] = [fresh(), fresh()];
  await behindAHeldOne<object>(add(fresh()), [add(one), caller.call('BatchWriteItem', putting(one, other))]);
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'UpdateItem', 'TransactWriteItems']);
  expect(await countOf(one)).toBe(1);
});

test.each<[string, object]>([
  ['names an item twice', putting('twice', 'twice')],
  ['asks for capacity', { ...putting('a', 'b'), ReturnConsumedCapacity: 'TOTAL' }],
  ['does nothing to an item', { RequestItems: { [TableName]: [{}] } }],
  ['has an item without its key', { RequestItems: { [TableName]: [{ PutRequest: { Item: {} } }] } }],
])('a batch that %s goes on as it is, with the answer of the engine', async (_, batch) => {
  const direct = engineClient(engine.endpoint);
  const answerOf = (client: typeof direct) =>
    client.call('BatchWriteItem', batch).catch((error) => `${error.name}: ${error.message}`);
  release();
  expect(await answerOf(caller)).toEqual(await answerOf(direct));
  expect(calls).toEqual(['BatchWriteItem']);
  direct.close();
});

test('a refused call does not prevent its neighbours', async () => {
  const [one, refused, invalid, other] = [fresh(), fresh(), fresh(), fresh()];
  const outcomes = await behindAHeldOne<object>(add(fresh()), [
    add(one),
    add(refused, failed),
    add(invalid, { UpdateExpression: 'ADD' }),
    add(other),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'made' : outcome.reason.name))).toEqual([
    'made',
    'ConditionalCheckFailedException',
    'ValidationException',
    'made',
  ]);
  expect(await Promise.all([one, refused, invalid, other].map(countOf))).toEqual([1, 0, 0, 1]);
});

test.each<[string, EngineAnswer | 'hang up']>([
  ['lost', 'hang up'],
  ['a failure of the engine', refusal({ status: 500, type: 'InternalServerError', message: 'Nobody knows' })],
])('no write is repeated when the response to a transaction is %s', async (_, lost) => {
  const ids = [fresh(), fresh(), fresh()];
  const hold = intercept;
  intercept = async (call, forward) => {
    const answer = await hold(call, forward);
    return call.operation === 'TransactWriteItems' ? lost : answer;
  };
  const outcomes = await behindAHeldOne(
    add(fresh()),
    ids.map((id) => add(id)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await Promise.all(ids.map(countOf))).toEqual([1, 1, 1]);
});

test.each<[string, object]>([
  ['new images', { ReturnValues: 'UPDATED_NEW' }],
  ['capacity', { ReturnConsumedCapacity: 'TOTAL' }],
])('a write that asks for %s is not shared', async (_, more) => {
  const id = fresh();
  const outcomes = await behindAHeldOne<object>(add(fresh()), [add(id, more), add(fresh())]);
  expect(calls).toEqual(['UpdateItem', 'ListTables', 'UpdateItem', 'UpdateItem']);
  expect(outcomes[0]).toMatchObject({ status: 'fulfilled', value: expect.anything() });
  expect(Object.keys((outcomes[0] as PromiseFulfilledResult<object>).value)).toHaveLength(1);
});

test('reads that arrive during another share a call, and each gets its item', async () => {
  const [one, other] = [fresh(), fresh()];
  release();
  await Promise.all([add(one), add(other)]);
  holdFirst();
  const outcomes = await behindAHeldOne(
    get(one),
    [one, other, one, fresh()].map((id) => get(id)),
  );
  expect(calls).toEqual(['GetItem', 'ListTables', 'TransactGetItems']);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: { Item: { ...key(one), n: { N: '1' } } } },
    { status: 'fulfilled', value: { Item: { ...key(other), n: { N: '1' } } } },
    { status: 'fulfilled', value: { Item: { ...key(one), n: { N: '1' } } } },
    { status: 'fulfilled', value: {} },
  ]);
});

test('a read of some attributes gets only those', async () => {
  const id = fresh();
  release();
  await add(id);
  holdFirst();
  const [part] = await behindAHeldOne(get(fresh()), [get(id, { ProjectionExpression: 'n' }), get(id)]);
  expect(part).toEqual({ status: 'fulfilled', value: { Item: { n: { N: '1' } } } });
});

test('any concurrent writes happen once each, in one order', async () => {
  release();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ item: fc.nat(3), isRefused: fc.boolean(), old: fc.boolean() }), { maxLength: 30 }),
      async (writes) => {
        const ids = [fresh(), fresh(), fresh(), fresh()];
        const seen = await Promise.all(
          writes.map(async ({ item, isRefused, old }) => {
            const more = { ...(isRefused && failed), ReturnValues: old ? 'ALL_OLD' : 'UPDATED_OLD' };
            const answer = await add(ids[item] ?? '', more).catch(() => undefined);
            return { item, before: answer && Number(answer.Attributes?.n?.N ?? 0) };
          }),
        );
        for (const [item, id] of ids.entries()) {
          const own = seen.filter((one) => one.item === item).flatMap(({ before }) => before ?? []);
          const count = writes.filter((one) => one.item === item && !one.isRefused).length;
          expect(own.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
          expect(await countOf(id)).toBe(count);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('the stream has every write of a transaction', async () => {
  const ids = Array.from({ length: 5 }, fresh);
  await behindAHeldOne(
    add(fresh()),
    ids.map((id) => add(id)),
  );
  const { Table } = await caller.call<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await caller.call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn },
  );
  const { ShardIterator } = await caller.call<{ ShardIterator: string }>('GetShardIterator', {
    StreamArn,
    ShardId: StreamDescription.Shards[0]?.ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  const { Records } = await caller.call<{ Records: { dynamodb: { Keys: { PK: { S: string } } } }[] }>(
    'GetRecords',
    { ShardIterator },
  );
  const told = Records.map(({ dynamodb }) => dynamodb.Keys.PK.S);
  expect(ids.map((id) => told.filter((one) => one === id).length)).toEqual([1, 1, 1, 1, 1]);
});

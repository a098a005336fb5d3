import { AwsError, errorKindOf } from '../../../core/table/errors.ts';
import { forOperators } from '../../../core/table/retry-policy.ts';
import { putIfFree, removed, type Table } from '../../../core/table/table.ts';
import { openTable } from '../../../core/table/whole-table.ts';
import { sdkTransport } from '../../../ops/deployment/sdk-client.ts';
import { unique } from '../../support/builders.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

/** So that pauses, up to a second, are short. */
const random = () => 0.01;

const openByOperator = (endpoint: string): Table => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const access = { endpoint, region: 'us-east-1', credentials };
  return openTable(sdkTransport(access), {
    name: 'links',
    random,
    policy: { ...forOperators, longestPauseMs: 320 },
  });
};

let server: ScriptedServer;
let table: Table;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.stop());

/** The server's answers, call by call; then none. */
const script = (...answers: Script[]) => {
  server.answer = () => answers.shift() ?? 'hang';
};

const put = [{ Put: { Item: { PK: 'LINK#acme#launch', SK: 'LINK' } } }];
const key = { PK: 'a', SK: 'LINK' };
const wire = { PK: { S: 'a' }, SK: { S: 'LINK' } };
const cancelled = (Code: string) => ({
  refused: 'TransactionCanceledException',
  CancellationReasons: [{ Code: 'None' }, { Code }],
});

describe.each([
  ['functions', 10, (endpoint: string) => openWholeTable(endpoint, { name: 'links', random })],
  ['operators', 20, openByOperator],
])('the table of %s', (_, attempts, open) => {
  beforeEach(() => {
    table = open(server.endpoint);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction cancelled by %s is repeated',
    async (reason) => {
      script(cancelled(reason), cancelled(reason), {});
      await table.transact(put);
      expect(server.calls).toHaveLength(3);
    },
  );

  test('a cancelled transaction is built anew, with a token of its own', async () => {
    script(cancelled('ThrottlingError'), { refused: 'ThrottlingException' }, {});
    let drawn = 0;
    await table.transact([() => ({ Delete: { Key: { PK: `counter-${drawn++}`, SK: 'N' } } })]);
    const sent = server.calls.map(({ input }) => [
      JSON.stringify(input).match(/counter-\d/)?.[0],
      input.ClientRequestToken,
    ]);
    const [[, first], [, second]] = sent as [unknown[], unknown[]];
    expect(sent).toEqual([
      ['counter-0', first],
      ['counter-1', second],
      ['counter-1', second],
    ]);
    expect(second).not.toBe(first);
  });

  test.each([
    ['transaction', () => table.transact(put), cancelled('ThrottlingError')],
    ['transaction', () => table.transact(put), cancelled('TransactionConflict')],
    ['write', () => table.update({ Key: key }), { refused: 'TransactionConflictException' }],
    ['read', () => table.get(key), { refused: 'ThrottlingException' }],
  ])('a %s that stays refused fails as busy after a bounded number of calls', async (_, act, refused) => {
    server.answer = () => refused;
    const error = await act().catch((thrown) => thrown);
    expect([errorKindOf(error), error.message]).toEqual(['busy', expect.stringContaining(refused.refused)]);
    expect(server.calls.length).toBe(attempts);
  });

  test('a write that meets a transaction is repeated', async () => {
    script({ refused: 'TransactionConflictException' }, {});
    await table.put({ Item: key });
    expect(server.calls).toHaveLength(2);
  });

  test('a transaction that still runs is asked for again until it is made', async () => {
    const still = { refused: 'TransactionInProgressException' };
    script({ refused: 'InternalServerError' }, still, still, {});
    await table.transact([...put, () => ({ Delete: { Key: { PK: unique('drawn'), SK: 'N' } } })]);
    expect(server.calls).toHaveLength(4);
    expect(new Set(server.calls.map(({ input }) => JSON.stringify(input)))).toHaveProperty('size', 1);
  });

  test('a finally refused transaction is not repeated', async () => {
    server.answer = () => cancelled('ItemCollectionSizeLimitExceeded');
    await expect(table.transact(put)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(server.calls).toHaveLength(1);
  });

  test('keys that stay unprocessed end the batch as busy, but not while others come', async () => {
    const keys = Array.from({ length: 2 * attempts }, (_, i) => ({ PK: `key-${i}`, SK: 'LINK' }));
    const oneOf = ({ input }: { input: object }, isLate: boolean) => {
      const { Keys } = (input as { RequestItems: { links: { Keys: object[] } } }).RequestItems.links;
      const left = isLate ? Keys : Keys.slice(1);
      return {
        Responses: { links: Keys.slice(0, Keys.length - left.length) },
        UnprocessedKeys: left.length > 0 ? { links: { Keys: left } } : {},
      };
    };
    // Every second page brings nothing.
    server.answer = (call) => oneOf(call, server.calls.length % 2 === 0);
    expect(await table.batchGet(keys)).toEqual(keys);
    server.calls.length = 0;
    server.answer = (call) => oneOf(call, true);
    expect(errorKindOf(await table.batchGet(keys).catch((error) => error))).toBe('busy');
    expect(server.calls).toHaveLength(attempts);
  });

  test('a batch of more keys than a call takes is several calls', async () => {
    server.answer = ({ input }) => ({
      Responses: {
        links: (input as { RequestItems: { links: { Keys: object[] } } }).RequestItems.links.Keys,
      },
    });
    const keys = Array.from({ length: 101 }, (_, i) => ({ PK: `key-${i}`, SK: 'LINK' }));
    expect(await table.batchGet(keys)).toEqual(keys);
    const sizes = server.calls.map(({ input }) => JSON.stringify(input).match(/"PK"/g)?.length);
    expect(sizes).toEqual([100, 1]);
  });

  test('a key that is named twice is asked for once', async () => {
    server.answer = () => ({ Responses: { links: [wire] } });
    expect(await table.batchGet([key, { ...key }])).toEqual([key]);
    expect(server.calls[0]?.input).toMatchObject({ RequestItems: { links: { Keys: [wire] } } });
  });

  test('a query reads page after page', async () => {
    script(
      { Items: [{ n: { N: '1' } }], LastEvaluatedKey: { PK: { S: 'a' } } },
      { Items: [{ n: { N: '2' } }] },
    );
    const input = { KeyConditionExpression: 'PK = :all', ExpressionAttributeValues: { ':all': 'A' } };
    expect(await table.query(input)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(server.calls[1]?.input.ExclusiveStartKey).toEqual({ PK: { S: 'a' } });
  });

  test('a query with a limit goes on until it has so many items', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((PK) => ({ PK: { S: PK } }));
    script({ Items: [a, b], LastEvaluatedKey: { PK: { S: 'b' } } }, { Items: [c], LastEvaluatedKey: c });
    const input = { KeyConditionExpression: 'PK = :all', ExpressionAttributeValues: { ':all': 'A' } };
    expect(await table.query({ ...input, Limit: 3 })).toHaveLength(3);
  });

  const conditionFailed = { refused: 'ConditionalCheckFailedException' };
  const lost = { refused: 'InternalServerError' };
  const ifNew = { Item: key, ConditionExpression: 'attribute_not_exists(PK)' };

  test('a repeated write whose condition fails is marked as repeated', async () => {
    script(lost, { ...conditionFailed, Item: wire });
    await expect(table.put(ifNew)).rejects.toMatchObject({ isRepeated: true, item: key });
    script(conditionFailed);
    await expect(table.delete({ Key: key })).rejects.toMatchObject({ isRepeated: false, item: undefined });
    // A throttled write was not made.
    script({ refused: 'ThrottlingException' }, conditionFailed);
    await expect(table.delete({ Key: key })).rejects.toMatchObject({ isRepeated: false });
  });

  test('a creation whose response was lost is distinguished from another one', async () => {
    const made = { ...key, createdAt: '2026-01-01' };
    script(lost, { ...conditionFailed, Item: { ...wire, createdAt: { S: '2026-01-01' } } });
    expect(await putIfFree(table, made)).toBe(true);
    script(lost, { ...conditionFailed, Item: { ...wire, createdAt: { S: '2025-12-31' } } });
    expect(await putIfFree(table, made)).toBe(false);
    script({ ...conditionFailed, Item: { ...wire, createdAt: { S: '2026-01-01' } } });
    expect(await putIfFree(table, made)).toBe(false);
  });

  test('a removal whose response was lost succeeded', async () => {
    script('reset', conditionFailed);
    expect(await removed(table, key)).toBe(true);
    script(conditionFailed);
    expect(await removed(table, key)).toBe(false);
  });

  test('a failed condition of a transaction names its part', async () => {
    server.answer = () => ({
      refused: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: wire }],
    });
    await expect(table.transact([...put, ...put])).rejects.toMatchObject({ part: 1, item: key });
  });

  test('reads are consistent, also when they are throttled', async () => {
    script({ refused: 'ThrottlingException' }, { refused: 'ThrottlingException' }, { Item: wire });
    expect(await table.get(key)).toEqual(key);
    expect(server.calls.map(({ input }) => input.ConsistentRead)).toEqual([true, true, true]);
  });
});

test('a transaction that runs past the deadline fails with its own error, and is not repeated', async () => {
  // The pause would exceed the time left.
  const hasty = openWholeTable(server.endpoint, { random, longestPauseMs: 60_000 });
  script({ refused: 'InternalServerError' }, { refused: 'TransactionInProgressException' });
  expect(errorKindOf(await hasty.transact(put).catch((error) => error))).toBe('in-progress');
  expect(new Set(server.calls.map(({ input }) => input.ClientRequestToken))).toHaveProperty('size', 1);
  expect(server.calls).toHaveLength(2);
});

test('one deadline ends a call and its repetitions', async () => {
  // A pause would exceed the time left.
  const hasty = openWholeTable(server.endpoint, {
    random: () => 1,
    deadlineMs: 5000,
    firstPauseMs: 60_000,
    longestPauseMs: 60_000,
  });
  server.answer = () => ({ refused: 'ThrottlingException' });
  await expect(hasty.get(key)).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect(server.calls).toHaveLength(1);
});

test.each([
  [new AwsError({ name: 'HTTP 503', status: 503 }), 'lost'],
  [new AwsError({ name: 'ValidationException' }), 'refused'],
  [new Error('ThrottlingException'), 'refused'],
  [
    new AwsError({
      name: 'TransactionCanceledException',
      reasons: [{ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' }],
    }),
    'condition',
  ],
])('the kind of %s is %s', (error, kind) => {
  expect(errorKindOf(error)).toBe(kind);
});

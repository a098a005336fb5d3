import { enlist, recount } from '../../../core/links/link-list.ts';
import { type Table, TableBusy } from '../../../core/table/table.ts';
import { openTable } from '../../../core/table/wire-table.ts';
import { sdkCall, sdkClient } from '../../../ops/sdk-client.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';

const openByOperator = (endpoint: string): Table => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = sdkClient({ endpoint, region: 'us-east-1', credentials });
  return openTable(sdkCall(client), { name: 'links' });
};

let server: ScriptedServer;
let table: Table;
beforeEach(async () => {
  // Pauses before repetitions are random, up to seconds.
  jest.spyOn(Math, 'random').mockReturnValue(0.01);
  server = await startScriptedServer();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.stop();
});

const put = [{ Put: { Item: { PK: 'LINK#acme#launch', SK: 'LINK' } } }];
const key = { PK: 'a', SK: 'LINK' };
const wire = { PK: { S: 'a' }, SK: { S: 'LINK' } };
const cancelled = (Code: string) => ({
  refused: 'TransactionCanceledException',
  CancellationReasons: [{ Code: 'None' }, { Code }],
});

describe.each([
  ['functions', (endpoint: string) => openWholeTable(endpoint, 'links')],
  ['operators', openByOperator],
])('the table of %s', (_, open) => {
  beforeEach(() => {
    table = open(server.endpoint);
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction cancelled by %s is repeated',
    async (reason) => {
      const answers = [cancelled(reason), cancelled(reason), {}];
      server.answer = () => answers.shift() ?? 'hang';
      await table.transact(put);
      expect(server.calls).toHaveLength(3);
    },
  );

  test('a throttled creation draws its counter anew at each attempt', async () => {
    const time = '2026-01-01T00:00:00.000Z';
    const place = { project: 'acme', code: 'launch', segment: time, createdAt: time };
    const answers = [cancelled('ThrottlingError'), cancelled('ThrottlingError'), {}, {}];
    server.answer = () => answers.shift() ?? 'hang';
    let lot = 0;
    jest.spyOn(Math, 'random').mockImplementation(() => (lot++ % 4) / 4);
    await table.transact(enlist(place));
    await table.transact([recount(place, 1, 2)]);
    const counters = server.calls.map(({ input }) => JSON.stringify(input).match(/SEGMENT#[^"]+#(\d)"/)?.[1]);
    // Every second draw is for the pause before the next attempt.
    expect(counters).toEqual(['0', '2', '0', '2']);
  });

  test('a transaction that stays throttled fails as such', async () => {
    server.answer = () => cancelled('ThrottlingError');
    await expect(table.transact(put)).rejects.toBeInstanceOf(TableBusy);
  });

  test('a finally refused transaction is not repeated', async () => {
    server.answer = () => cancelled('ItemCollectionSizeLimitExceeded');
    await expect(table.transact(put)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(server.calls).toHaveLength(1);
  });

  test('unprocessed keys of a batch are read again', async () => {
    const [one, other] = ['a', 'b'].map((PK) => ({ PK: { S: PK }, SK: { S: 'LINK' } }));
    const answers = [
      { Responses: { links: [one] }, UnprocessedKeys: { links: { Keys: [other] } } },
      { Responses: { links: [other] }, UnprocessedKeys: {} },
    ];
    server.answer = () => answers.shift() ?? 'hang';
    const keys = ['a', 'b'].map((PK) => ({ PK, SK: 'LINK' }));
    expect(await table.batchGet(keys)).toEqual(keys);
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

  test('a write that is sent again says so when its condition fails', async () => {
    const answers = [
      { refused: 'InternalServerError' },
      { refused: 'ConditionalCheckFailedException', Item: wire },
    ];
    server.answer = () => answers.shift() ?? 'hang';
    const written = table.put({ Item: key, ConditionExpression: 'attribute_not_exists(PK)' });
    await expect(written).rejects.toMatchObject({ isRepeated: true, item: key });
    server.answer = () => ({ refused: 'ConditionalCheckFailedException' });
    await expect(table.delete({ Key: key })).rejects.toMatchObject({ isRepeated: false, item: undefined });
  });

  test('a transaction that is sent again has the same token, and each repetition its own', async () => {
    const answers = [{ refused: 'InternalServerError' }, cancelled('TransactionConflict'), {}];
    server.answer = () => answers.shift() ?? 'hang';
    await table.transact(put);
    const tokens = server.calls.map(({ input }) => input.ClientRequestToken);
    expect(tokens).toEqual([expect.any(String), tokens[0], expect.any(String)]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  test('a failed condition of a transaction names its part', async () => {
    server.answer = () => ({
      refused: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: wire }],
    });
    await expect(table.transact([...put, ...put])).rejects.toMatchObject({ part: 1, item: key });
  });

  test('reads are consistent, also when they are throttled', async () => {
    const answers = [{ refused: 'ThrottlingException' }, { refused: 'ThrottlingException' }, { Item: wire }];
    server.answer = () => answers.shift() ?? 'hang';
    expect(await table.get(key)).toEqual(key);
    expect(server.calls.map(({ input }) => input.ConsistentRead)).toEqual([true, true, true]);
  });
});

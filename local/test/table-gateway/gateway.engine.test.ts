import { DynamoDBClient, ExecuteStatementCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { PolicyStatement } from '../../assembly/assembly.ts';
import type { JsonService } from '../../base/json-service.ts';
import { engineClient } from '../../engine/engine-client.ts';
import { startEngineProxy } from '../../engine/engine-proxy.ts';
import type { LeadingKeys } from '../../table-gateway/access.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { send } from '../http-client.ts';
import { aTable, engine, key } from '../tables/table.ts';

describe('the table gateway', () => {
  const table = aTable('Guarded');
  let gateway: JsonService | undefined;
  const callAs = async (
    statements: readonly PolicyStatement[],
    operation: string,
    input: object,
    leadingKeys: LeadingKeys = 'part',
  ) => {
    await gateway?.stop();
    gateway = await startTableGateway({
      engine: engine.endpoint,
      principals: new Map([['local', { name: 'Role', statements }]]),
      tables: [table],
      enforce: true,
      leadingKeys,
    });
    const caller = engineClient(gateway.endpoint);
    return caller
      .call(operation, input)
      .then(() => 'allowed')
      .catch((error) => `${error.name}: ${error.message}`)
      .finally(() => caller.close());
  };
  beforeAll(() => ensureTables(engine.endpoint, [table]));
  afterEach(() => gateway?.stop());

  const TableName = 'Guarded';
  const anything: PolicyStatement[] = [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' }];
  const byOwner = {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': { S: 'me' } },
  };
  const update = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } };
  const check = { ConditionExpression: 'attribute_not_exists(nothing)' };
  test.each<[string, object, readonly string[], string]>([
    ['GetItem', { TableName, Key: key('a') }, ['GetItem'], ''],
    ['PutItem', { TableName, Item: key('a') }, ['PutItem'], ''],
    ['UpdateItem', { TableName, Key: key('a'), ...update }, ['UpdateItem'], ''],
    ['DeleteItem', { TableName, Key: key('a') }, ['DeleteItem'], ''],
    ['Scan', { TableName }, ['Scan'], ''],
    ['DescribeTable', { TableName }, ['DescribeTable'], ''],
    ['Query', byOwner, ['Query'], '/index/by-owner'],
    ['BatchGetItem', { RequestItems: { Guarded: { Keys: [key('a')] } } }, ['BatchGetItem'], ''],
    [
      'BatchWriteItem',
      { RequestItems: { Guarded: [{ PutRequest: { Item: key('a') } }] } },
      ['BatchWriteItem'],
      '',
    ],
    ['TransactGetItems', { TransactItems: [{ Get: { TableName, Key: key('a') } }] }, ['GetItem'], ''],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: key('p') } },
          { Update: { TableName, Key: key('u'), ...update } },
          { Delete: { TableName, Key: key('d') } },
          { ConditionCheck: { TableName, Key: key('c'), ...check } },
        ],
      },
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      '',
    ],
  ])('allows %s with exactly its permissions', async (operation, input, actions, suffix) => {
    const Resource = table.arn + suffix;
    const grant = (granted: readonly string[]): PolicyStatement[] => [
      { Effect: 'Allow', Action: granted.map((action) => `dynamodb:${action}`), Resource },
    ];
    expect(await callAs(grant(actions), operation, input)).toBe('allowed');
    for (const missing of actions) {
      const rest = actions.filter((action) => action !== missing);
      expect(await callAs(grant([...rest, 'ListTables']), operation, input)).toBe(
        `AccessDeniedException: User: arn:aws:sts::123456789012:assumed-role/Role/Role is not authorized to perform: dynamodb:${missing} on resource: ${Resource} because no identity-based policy allows the dynamodb:${missing} action`,
      );
    }
  });

  test('a denial wins', async () => {
    const denied: PolicyStatement = { Effect: 'Deny', Action: 'dynamodb:Scan', Resource: table.arn };
    expect(await callAs([...anything, denied], 'Scan', { TableName })).toContain(
      'with an explicit deny in an identity-based policy',
    );
  });

  test('judges the writes of a transaction by their own keys, or by those of all', async () => {
    const allow = (action: string, keys: string): PolicyStatement => ({
      Effect: 'Allow',
      Action: `dynamodb:${action}`,
      Resource: table.arn,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys] } },
    });
    const role = [allow('PutItem', 'mine*'), allow('DeleteItem', 'yours*')];
    const parts = [
      { Put: { TableName, Item: key('mine-1') } },
      { Delete: { TableName, Key: key('yours-1') } },
    ];
    expect(await callAs(role, 'TransactWriteItems', { TransactItems: parts })).toBe('allowed');
    const refused = await callAs(role, 'TransactWriteItems', { TransactItems: parts }, 'request');
    expect(refused).toContain('AccessDeniedException');
    const one = { TransactItems: parts.slice(0, 1) };
    expect(await callAs(role, 'TransactWriteItems', one, 'request')).toBe('allowed');
  });

  const query = (keyName: string, value: string) => ({
    TableName,
    KeyConditionExpression: '#k = :k',
    ExpressionAttributeNames: { '#k': keyName },
    ExpressionAttributeValues: { ':k': { S: value } },
  });
  const [mine, yours] = [key('mine-1'), key('yours-1')];
  const batch = (...Keys: object[]) => ({ RequestItems: { Guarded: { Keys } } });
  const deletion = (Key: object) => ({ RequestItems: { Guarded: [{ DeleteRequest: { Key } }] } });
  const [ofId] = Object.keys(mine);
  test.each<[string, string, object, string]>([
    ['one item', 'GetItem', { TableName, Key: mine }, 'allowed'],
    ['one item of another key', 'GetItem', { TableName, Key: yours }, 'AccessDeniedException'],
    ['a batch', 'BatchGetItem', batch(mine), 'allowed'],
    ['a batch with an item of another key', 'BatchGetItem', batch(mine, yours), 'AccessDeniedException'],
    ['a batch that deletes an item', 'BatchWriteItem', deletion(mine), 'allowed'],
    [
      'a batch that deletes an item of another key',
      'BatchWriteItem',
      deletion(yours),
      'AccessDeniedException',
    ],
    [
      'a transaction',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item: mine } }] },
      'allowed',
    ],
    [
      'a transaction with an item of another key',
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName, Item: mine } }, { Delete: { TableName, Key: yours } }] },
      'AccessDeniedException',
    ],
    ['a query', 'Query', query(ofId ?? '', 'mine-1'), 'allowed'],
    ['a query by another key', 'Query', query(ofId ?? '', 'yours-1'), 'AccessDeniedException'],
    ['a query of an index', 'Query', { ...query('owner', 'mine-me'), IndexName: 'by-owner' }, 'allowed'],
    [
      'a query of an index by another key',
      'Query',
      { ...query('owner', 'you'), IndexName: 'by-owner' },
      'AccessDeniedException',
    ],
    ['a query without a condition', 'Query', { TableName }, "can't decide"],
  ])('applies conditions on leading keys to %s', async (_, operation, input, outcome) => {
    const own: PolicyStatement[] = [
      {
        Effect: 'Allow',
        Action: 'dynamodb:*',
        Resource: [table.arn, `${table.arn}/index/*`],
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['mine-*'] } },
      },
    ];
    expect(await callAs(own, operation, input)).toContain(outcome);
  });

  describe('called from a browser', () => {
    const scan = async (headers: (port: string) => Readonly<Record<string, string>>, method = 'POST') => {
      gateway = await startTableGateway({
        engine: engine.endpoint,
        principals: new Map(),
        tables: [table],
        enforce: true,
      });
      const { host, port } = new URL(gateway.endpoint);
      return send(host, {
        method,
        path: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'DynamoDB_20120810.Scan',
          'x-amz-date': '20260101T000000Z',
          authorization:
            'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
          ...headers(port),
        },
        body: JSON.stringify({ TableName }),
      });
    };
    const isOpen = (headers: object) =>
      Object.keys(headers).filter((name) => name.startsWith('access-control-'));

    test.each<[string, (port: string) => Record<string, string>]>([
      ['an origin', () => ({ origin: 'https://evil.example' })],
      ['the origin of a file', () => ({ origin: 'null' })],
      ['an origin of this machine', (port) => ({ origin: `http://127.0.0.1:${port}` })],
      ["a name of somebody else's", (port) => ({ host: `rebound.example:${port}` })],
      ['another port', () => ({ host: '127.0.0.1:1' })],
      ['no port', () => ({ host: 'localhost' })],
    ])('refuses a call with %s', async (_, headers) => {
      const { status, json, headers: answered } = await scan(headers);
      expect({ status, json }).toMatchObject({
        status: 403,
        json: { __type: expect.stringContaining('AccessDeniedException') },
      });
      expect(isOpen(answered)).toEqual([]);
    });

    test('refuses preflight requests of web pages', async () => {
      const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const { status, headers } = await scan(() => asked, 'OPTIONS');
      expect(status).toBe(403);
      expect(isOpen(headers)).toEqual([]);
    });

    test.each(['127.0.0.1', 'localhost', 'LOCALHOST'])('serves programs at the name %s', async (name) => {
      expect((await scan((port) => ({ host: `${name}:${port}` }))).status).toBe(200);
    });
  });

  const many = <Item>(count: number, itemOf: (id: string) => Item) =>
    Array.from({ length: count }, (_, index) => itemOf(`many-${index}`));
  const put = (id: string) => ({ PutRequest: { Item: key(id) } });
  test.each<[string, number, (count: number) => object]>([
    ['BatchGetItem', 100, (count) => ({ RequestItems: { Guarded: { Keys: many(count, key) } } })],
    ['BatchWriteItem', 25, (count) => ({ RequestItems: { Guarded: many(count, put) } })],
    [
      'TransactGetItems',
      100,
      (count) => ({ TransactItems: many(count, (id) => ({ Get: { TableName, Key: key(id) } })) }),
    ],
    [
      'TransactWriteItems',
      100,
      (count) => ({ TransactItems: many(count, (id) => ({ Put: { TableName, Item: key(id) } })) }),
    ],
  ])('refuses a %s of more than %i items, as DynamoDB does', async (operation, most, inputOf) => {
    expect(await callAs(anything, operation, inputOf(most))).toBe('allowed');
    expect(await callAs(anything, operation, inputOf(most + 1))).toMatch(
      /^ValidationException: (Too many items requested for|.*'transactItems' .*less than or equal to 100$)/,
    );
  });

  test.each(['__proto__', 'constructor', 'toString'])('takes %s for an unknown operation', async (name) => {
    const unknown = await callAs(anything, 'Unheard', {});
    expect(unknown).toMatch(/^UnknownOperationException: /);
    expect(await callAs(anything, name, {})).toBe(unknown.replaceAll('Unheard', name));
    const parts = { TransactItems: [{ [name]: {} }] };
    expect(await callAs([], 'TransactWriteItems', parts)).toContain(`to perform: dynamodb:${name} on`);
  });

  test('works in front of another proxy', async () => {
    const inner = await startEngineProxy(engine.endpoint, (_, forward) => forward());
    gateway = await startTableGateway({
      engine: inner.endpoint,
      principals: new Map(),
      tables: [table],
      enforce: true,
    });
    const caller = engineClient(gateway.endpoint);
    expect(await caller.call('DescribeTable', { TableName })).toMatchObject({ Table: { TableName } });
    caller.close();
    await inner.stop();
  });

  test('allows callers without a role everything, and observes each permission of the others', async () => {
    const seen: object[] = [];
    gateway = await startTableGateway({
      engine: engine.endpoint,
      principals: new Map([['AKIAROLE', { name: 'Role', statements: [] }]]),
      tables: [table],
      enforce: true,
      observe: (call) => seen.push(call),
    });
    const sdk = (accessKeyId: string) =>
      new DynamoDBClient({
        endpoint: gateway?.endpoint ?? '',
        region: 'eu-central-1',
        credentials: { accessKeyId, secretAccessKey: 'secret' },
      });
    const put = new PutItemCommand({ TableName, Item: key('sdk') });
    const [operator, role] = [sdk('operator'), sdk('AKIAROLE')];
    await operator.send(put);
    await expect(role.send(put)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('dynamodb:PutItem'),
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    await expect(
      role.send(new ExecuteStatementCommand({ Statement: 'SELECT * FROM "Guarded"' })),
    ).rejects.toThrow('PartiQL');
    expect(seen).toEqual([
      { principal: 'Role', action: 'dynamodb:PutItem', resource: table.arn, leadingKeys: ['sdk'] },
    ]);
    operator.destroy();
    role.destroy();
  });
});

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { captureFunctionLog } from '../support/function-log.ts';
import { handlerOf } from '../support/handler-of.ts';
import { hurried } from '../support/hurried.ts';
import { ofFile } from '../support/of-file.ts';
import { type Script, startScriptedServer } from '../support/scripted-server.ts';

const log = ofFile(captureFunctionLog);
const server = ofFile(startScriptedServer);
const reading = handlerOf(() => import('../../lambdas/api/check-code.ts'), server);
const writing = handlerOf(() => import('../../lambdas/api/delete-link.ts'), server);

/** Scripts the counter, the only write of this call; its reads find nothing. */
const counterSays = (script: Script) => {
  server.answer = ({ operation }) => (operation === 'UpdateItem' ? script : {});
};

const call = (keyId: string, handler = reading) =>
  handler({
    httpMethod: handler === reading ? 'GET' : 'DELETE',
    resource: handler === reading ? '/1.0/links/check/{code}' : '/1.0/links/{code}',
    pathParameters: { code: 'launch' },
    headers: {},
    requestContext: {
      requestTimeEpoch: Date.now(),
      path: '/1.0/links/check/launch',
      authorizer: { project: 'acme', keyId, scopes: 'links:read links:delete', user: 'ann' },
    },
  } as unknown as APIGatewayProxyEvent);

const limitsOf = ({ statusCode, headers = {} }: APIGatewayProxyResult) => ({
  statusCode,
  limit: headers['X-RateLimit-Limit'],
  remaining: headers['X-RateLimit-Remaining'],
  reset: headers['X-RateLimit-Reset'],
  retryAfter: headers['Retry-After'],
});
const limitAlone = { limit: '180000', remaining: undefined, reset: undefined, retryAfter: undefined };

test('a working counter shows the remaining calls', async () => {
  counterSays({ Attributes: { n: { N: '7' } } });
  expect(limitsOf(await call('counted'))).toMatchObject({
    statusCode: 200,
    remaining: '179993',
    reset: expect.stringMatching(/T\d\d:00:00\.000Z$/),
  });
});

describe.each([
  ['whose connection breaks', 'reset'],
  ['that times out', 'hang'],
] as const)('a counter %s', (_, script) => {
  beforeEach(() => {
    counterSays(script);
    server.calls.length = 0;
    log.lines.length = 0;
  });
  afterEach(() => {
    expect(log.lines.join('')).toContain('RateCounterUnavailable');
  });

  test('lets a read through, and shows only the limit', async () => {
    expect(limitsOf(await hurried(() => call('read')))).toEqual({ statusCode: 200, ...limitAlone });
  });

  test('refuses a write before anything was done', async () => {
    const { body, ...answer } = await hurried(() => call('write', writing));
    expect(limitsOf({ body, ...answer })).toEqual({ statusCode: 503, ...limitAlone, retryAfter: '5' });
    expect(JSON.parse(body).error.code).toBe('SERVICE_UNAVAILABLE');
    expect(new Set(server.calls.map(({ operation }) => operation))).toEqual(new Set(['UpdateItem']));
  });
});

test.each(['reset', { refused: 'InternalServerError' }] as const)(
  'a table that says %j asks readers to come back',
  async (script) => {
    server.answer = ({ operation }) =>
      operation === 'UpdateItem' ? { Attributes: { n: { N: '7' } } } : script;
    const { body, ...read } = await hurried(() => call('outage'));
    expect(limitsOf({ body, ...read })).toMatchObject({
      statusCode: 503,
      remaining: '179993',
      retryAfter: '5',
    });
    expect(JSON.parse(body).error.code).toBe('SERVICE_UNAVAILABLE');
    // It may have been made.
    const write = await hurried(() => call('outage', writing));
    expect(limitsOf(write)).toMatchObject({ statusCode: 500, retryAfter: undefined });
  },
);

test('a throttled counter asks the client to wait a second, not for the next hour', async () => {
  counterSays({ refused: 'ProvisionedThroughputExceededException' });
  expect(limitsOf(await hurried(() => call('throttled')))).toEqual({
    statusCode: 429,
    ...limitAlone,
    retryAfter: '1',
  });
});

test('a table that stays throttled asks the client to wait a second', async () => {
  server.answer = ({ operation }) =>
    operation === 'UpdateItem' ? { Attributes: { n: { N: '7' } } } : { refused: 'ThrottlingException' };
  const answer = limitsOf(await hurried(() => call('busy')));
  expect(answer).toMatchObject({ statusCode: 429, remaining: '179993', retryAfter: '1' });
});

test('a used-up quota shows 0 remaining calls, and when to retry', async () => {
  counterSays({ refused: 'ConditionalCheckFailedException', Item: { n: { N: '180000' } } });
  const { remaining, reset, retryAfter, statusCode } = limitsOf(await call('spent'));
  expect([statusCode, remaining]).toEqual([429, '0']);
  const seconds = (Date.parse(String(reset)) - Date.now()) / 1000;
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(Math.floor(seconds));
  expect(Number(retryAfter)).toBeLessThanOrEqual(3600);
});

test('a revoked key has 0 remaining calls', async () => {
  counterSays({ refused: 'ConditionalCheckFailedException', Item: { revoked: { BOOL: true } } });
  expect(limitsOf(await call('revoked'))).toMatchObject({ statusCode: 401, limit: '180000', remaining: '0' });
});

import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { captureFunctionLog } from '../support/function-log.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

let server: ScriptedServer;
let log: ReturnType<typeof captureFunctionLog>;
let handler: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
beforeAll(async () => {
  log = captureFunctionLog();
  server = await startScriptedServer();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: 'links',
  });
  ({ handler } = await import('../../lambdas/api/check-code.ts'));
});
afterAll(async () => {
  log.stop();
  await server.stop();
});
afterEach(() => jest.useRealTimers());

/** Scripts the counter, the only write of this call; its reads find nothing. */
const counterSays = (script: Script) => {
  server.answer = ({ operation }) => (operation === 'UpdateItem' ? script : {});
};

const call = (keyId: string) =>
  handler({
    resource: '/1.0/links/check/{code}',
    pathParameters: { code: 'launch' },
    headers: {},
    requestContext: {
      requestTimeEpoch: Date.now(),
      path: '/1.0/links/check/launch',
      authorizer: { project: 'acme', keyId, scopes: 'links:read', user: 'ann' },
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

test('a counter whose connection breaks lets the request through, and shows only the limit', async () => {
  counterSays('reset');
  expect(limitsOf(await call('reset'))).toEqual({ statusCode: 200, ...limitAlone });
});

test('a counter that times out lets the request through, and shows only the limit', async () => {
  counterSays('hang');
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
  const before = server.calls.length;
  const answer = call('hang');
  while (!server.calls.slice(before).some(({ operation }) => operation === 'UpdateItem')) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await jest.advanceTimersByTimeAsync(3000);
  expect(limitsOf(await answer)).toEqual({ statusCode: 200, ...limitAlone });
});

test('a throttled counter asks the client to wait a second, not for the next hour', async () => {
  counterSays({ refused: 'ProvisionedThroughputExceededException' });
  expect(limitsOf(await call('throttled'))).toEqual({ statusCode: 429, ...limitAlone, retryAfter: '1' });
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

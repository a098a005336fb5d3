import { type ApiHandler, callApi } from '../support/function-calls.ts';
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

const call = (keyId: string, handler: ApiHandler = reading) =>
  callApi(handler, {
    ...(handler === reading ? { path: '/links/check/{code}' } : { method: 'DELETE', path: '/links/{code}' }),
    ...{ params: { code: 'launch' }, project: 'acme', caller: { keyId } },
  });

const limitsOf = ({ status, headers }: Awaited<ReturnType<typeof call>>) => ({
  status,
  limit: headers['X-RateLimit-Limit'],
  remaining: headers['X-RateLimit-Remaining'],
  reset: headers['X-RateLimit-Reset'],
  retryAfter: headers['Retry-After'],
});
const limitAlone = { limit: '180000', remaining: undefined, reset: undefined, retryAfter: undefined };

test('a working counter shows the remaining calls', async () => {
  counterSays({ Attributes: { n: { N: '7' } } });
  expect(limitsOf(await call('counted'))).toMatchObject({
    status: 200,
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
    expect(limitsOf(await hurried(() => call('read')))).toEqual({ status: 200, ...limitAlone });
  });

  test('refuses a write before anything was done', async () => {
    const answer = await hurried(() => call('write', writing));
    expect(limitsOf(answer)).toEqual({ status: 503, ...limitAlone, retryAfter: '5' });
    expect(answer.body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(new Set(server.calls.map(({ operation }) => operation))).toEqual(new Set(['UpdateItem']));
  });
});

test.each(['reset', { refused: 'InternalServerError' }] as const)(
  'with %j from the table, readers are asked to come back',
  async (script) => {
    server.answer = ({ operation }) =>
      operation === 'UpdateItem' ? { Attributes: { n: { N: '7' } } } : script;
    const read = await hurried(() => call('outage'));
    expect(limitsOf(read)).toMatchObject({ status: 503, remaining: '179993', retryAfter: '5' });
    expect(read.body.error.code).toBe('SERVICE_UNAVAILABLE');
    // The list of suspended projects is read before anything is written.
    const write = await hurried(() => call('outage', writing));
    expect(limitsOf(write)).toMatchObject({ status: 503, retryAfter: '5' });
  },
);

test('a throttled counter asks the client to wait a second, not for the next hour', async () => {
  counterSays({ refused: 'ProvisionedThroughputExceededException' });
  expect(limitsOf(await hurried(() => call('throttled')))).toEqual({
    status: 429,
    ...limitAlone,
    retryAfter: '1',
  });
});

test('a table that stays throttled asks the client to wait a second', async () => {
  server.answer = ({ operation }) =>
    operation === 'UpdateItem' ? { Attributes: { n: { N: '7' } } } : { refused: 'ThrottlingException' };
  const answer = limitsOf(await hurried(() => call('busy')));
  expect(answer).toMatchObject({ status: 429, remaining: '179993', retryAfter: '1' });
});

test('a used-up quota shows 0 remaining calls, and when to retry', async () => {
  counterSays({ refused: 'ConditionalCheckFailedException', Item: { n: { N: '180000' } } });
  const { remaining, reset, retryAfter, status } = limitsOf(await call('spent'));
  expect([status, remaining]).toEqual([429, '0']);
  const seconds = (Date.parse(String(reset)) - Date.now()) / 1000;
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(Math.floor(seconds));
  expect(Number(retryAfter)).toBeLessThanOrEqual(3600);
});

test('a revoked key has 0 remaining calls', async () => {
  counterSays({ refused: 'ConditionalCheckFailedException', Item: { revoked: { BOOL: true } } });
  expect(limitsOf(await call('revoked'))).toMatchObject({ status: 401, limit: '180000', remaining: '0' });
});

import { callApi } from '../../support/function-calls.ts';
import { handlerOf } from '../../support/handler-of.ts';
import { listen } from '../../support/listen.ts';
import { ofFile } from '../../support/of-file.ts';

/** The table calls, in order. */
let asked: string[] = [];
/** The calls of the hour so far, as the counter responds; undefined if the quota is used up. */
let used: number | undefined;
let held: Promise<void> | undefined;
const server = ofFile(() =>
  listen(async (request, response) => {
    const action = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    asked.push(action);
    if (action === 'UpdateItem') await held;
    const refused = action === 'UpdateItem' && used === undefined;
    const refusal = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' };
    const answer = action === 'UpdateItem' ? { Attributes: { n: { N: String(used) } } } : { Responses: {} };
    response.writeHead(refused ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(refused ? refusal : answer));
  }),
);
const handler = handlerOf(() => import('../../../lambdas/api/get-link.ts'), server, {
  RATE_LIMIT_PER_HOUR: '1000',
});
beforeEach(() => {
  asked = [];
  held = undefined;
});

const call = (
  keyId: string,
  headers?: Readonly<Record<string, readonly string[]>>,
  at = new Date(),
  caller: Readonly<Record<string, string>> = {},
) =>
  callApi(handler, {
    ...{ path: '/links/{code}', params: { code: 'launch' }, project: 'acme' },
    ...{ headers, at: at.getTime(), caller: { keyId, ...caller } },
  });

test("a member's key is refused from its end on, also where the gateway remembers it", async () => {
  used = 1;
  const ending = (ms: number) => ({ counter: 'c', expiresAt: new Date(Date.now() + ms).toISOString() });
  const [now, none] = [new Date(), undefined];
  expect(await call('ends-later', none, now, ending(60_000))).toMatchObject({ status: 404 });
  asked = [];
  const answer = await call('has-ended', none, now, ending(0));
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } });
  expect(asked).toEqual([]);
});

test.each([
  ['10:20:00.000', '2400'],
  ['10:59:58.700', '2'],
  ['10:59:59.999', '1'],
])('a key refused at %s makes no table call until its hour ends', async (time, retryAfter) => {
  const at = new Date(`2026-03-01T${time}Z`);
  const refused = { status: 429, headers: { 'Retry-After': retryAfter, 'X-RateLimit-Remaining': '0' } };
  used = undefined;
  expect(await call(`spent-${time}`, undefined, at)).toMatchObject(refused);
  asked = [];
  expect(await call(`spent-${time}`, undefined, at)).toMatchObject(refused);
  expect(asked).toEqual([]);
  used = 1;
  const next = new Date('2026-03-01T11:00:00.000Z');
  expect(await call(`spent-${time}`, undefined, next)).toMatchObject({ status: 404 });
  expect(asked).toContain('UpdateItem');
});

test('a refused call makes one table call', async () => {
  used = undefined;
  expect((await call('refused')).status).toBe(429);
  expect(asked).toEqual(['UpdateItem']);
});

test('nothing is read for a call before it is counted', async () => {
  used = 10;
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const answer = call('counted');
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  // Anything else that was sent has arrived by then.
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(['UpdateItem']);
  release();
  await answer;
  expect(asked.length).toBeGreaterThan(1);
});

test.each([
  [{ 'X-API-KEY': ['one', 'two'] }],
  [{ 'X-API-KEY': ['one', 'one'] }],
  [{ 'X-API-KEY': ['one'], 'x-api-key': ['two'] }],
])('a request with the keys %j is refused, whichever of them the gateway used', async (headers) => {
  used = 10;
  const { status, body } = await call('key-of-two', headers);
  expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
});

test('a request with one key is admitted with any spelling of its header', async () => {
  used = 10;
  expect((await call('key-of-one', { 'x-aPi-keY': ['one'] })).status).toBe(404);
});

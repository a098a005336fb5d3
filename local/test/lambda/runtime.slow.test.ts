import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionResource } from '../../assembly/assembly.ts';
import { createLambdaRuntime, type LambdaRuntime, payloadLimit } from '../../lambda/runtime.ts';
import { newFolder } from '../folder.ts';

const source = `
let count = 0;
export const echo = async (event) => event;
export const counted = async () => (count += 1);
export const environment = async () => process.env;
export const context = async (_event, { getRemainingTimeInMillis, ...rest }) => ({
  ...rest, remaining: getRemainingTimeInMillis(),
});
export const fails = async ({ name, message }) => { throw Object.assign(new Error(message), { name }); };
export const hangs = async ({ forMs }) => {
  if (forMs === undefined) await new Promise(() => {});
  await new Promise((resolve) => setTimeout(resolve, forMs));
  return 'done';
};
export const crashes = async ({ how }) => {
  if (how === 'exit') process.exit(7);
  if (how === 'throw') setImmediate(() => { throw new TypeError('from nowhere'); });
  if (how === 'reject') Promise.reject(new Error('unhandled'));
  if (how) await new Promise(() => {});
  return (count += 1);
};
export const large = async ({ size }) => 'x'.repeat(size);
export const prints = async () => { console.log('to stdout'); console.error('to stderr'); };
export const nothing = async () => undefined;
export const odd = async () => ({ kept: 1, dropped: undefined, date: new Date(0), list: [undefined] });
export const callback = (event, _context, done) => { setImmediate(done, null, { called: event }); };
export const notAFunction = 1;
`;

const folder = newFolder();
let lambda: LambdaRuntime;
let logged: string;

beforeAll(() => {
  writeFileSync(join(folder, 'index.mjs'), source);
  writeFileSync(join(folder, 'common.cjs'), 'exports.handler = async () => "from CommonJS";');
  writeFileSync(join(folder, 'broken.mjs'), 'throw new Error("cannot start");');
});

function start(handler: string, more: Partial<FunctionResource> = {}) {
  logged = '';
  lambda = createLambdaRuntime({
    functions: [
      {
        id: 'Function',
        region: 'us-east-1',
        code: folder,
        handler,
        environment: {},
        timeoutSeconds: 5,
        memoryMb: 256,
        statements: [],
        ...more,
      },
    ],
    tables: { endpoint: 'http://127.0.0.1:1' },
    principalOf: (id) => `key-of-${id}`,
    log: (_name, text) => {
      logged += text;
    },
  });
  return (event: unknown = {}) => lambda.invoke('Function', event);
}
afterEach(() => lambda.stop());

const text = 'ä\u2028😀';
test.each([
  ["a handler's result as JSON", 'index.odd', { kept: 1, date: '1970-01-01T00:00:00.000Z', list: [null] }],
  ['the event as JSON', 'index.echo', { list: [1, null], text }],
  ['null for no result', 'index.nothing', null],
  ["a CommonJS bundle's result", 'common.handler', 'from CommonJS'],
  ["a callback's result", 'index.callback', { called: { list: [1, null], text } }],
])('returns %s', async (_, handler, payload) => {
  const event = { list: [1, null], text, dropped: undefined };
  expect(await start(handler)(event)).toEqual({ ok: true, payload });
});

test('has its own environment, without variables of this machine', async () => {
  process.env.OUTSIDE = 'x';
  const result = await start('index.environment', { environment: { TABLE: 'T' } })();
  expect(result).toMatchObject({
    payload: {
      TABLE: 'T',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Function',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      _HANDLER: 'index.environment',
      AWS_ACCESS_KEY_ID: 'key-of-Function',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    },
  });
  expect(result).not.toHaveProperty('payload.OUTSIDE');
  expect(result).not.toHaveProperty('payload.PATH');
});

test('the context has the remaining time', async () => {
  expect(await start('index.context')()).toMatchObject({
    payload: {
      functionName: 'Function',
      memoryLimitInMB: '256',
      functionVersion: '$LATEST',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Function',
      remaining: expect.any(Number),
    },
  });
});

test('keeps its state from one invocation to the next', async () => {
  const invoke = start('index.counted');
  expect([await invoke(), await invoke()]).toMatchObject([{ payload: 1 }, { payload: 2 }]);
});

test('an error has its type and message', async () => {
  const invoke = start('index.fails');
  expect(await invoke({ name: 'Odd', message: 'so it is' })).toEqual({
    ok: false,
    errorType: 'Odd',
    errorMessage: 'so it is',
  });
});

test('an invocation that takes too long times out as on Lambda, and the next starts anew', async () => {
  const invoke = start('index.hangs', { timeoutSeconds: 0.2 });
  expect(await invoke()).toEqual({
    ok: false,
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringMatching(/Task timed out after 0\.20 seconds$/),
  });
  expect(await invoke({ forMs: 0 })).toEqual({ ok: true, payload: 'done' });
});

test('a timeout does not affect concurrent invocations', async () => {
  const invoke = start('index.hangs', { timeoutSeconds: 1 });
  await invoke({ forMs: 0 });
  const late = invoke();
  const concurrent = new Promise((resolve) => setTimeout(resolve, 900)).then(() => invoke({ forMs: 300 }));
  expect(await late).toMatchObject({ errorType: 'Sandbox.Timedout' });
  expect(await concurrent).toEqual({ ok: true, payload: 'done' });
});

test.each([
  ['exit', 'Runtime.ExitError', /exit status 7/],
  ['throw', 'TypeError', /from nowhere/],
  ['reject', 'Error', /unhandled/],
])('a crash by %s is an error, and the next invocation starts anew', async (how, errorType, errorMessage) => {
  const invoke = start('index.crashes');
  expect(await invoke()).toEqual({ ok: true, payload: 1 });
  expect(await invoke({ how })).toEqual({
    ok: false,
    errorType,
    errorMessage: expect.stringMatching(errorMessage),
  });
  expect(await invoke()).toEqual({ ok: true, payload: 1 });
});

test.each([
  ['missing.handler', 'Runtime.ImportModuleError'],
  ['index.absent', 'Runtime.HandlerNotFound'],
  ['index.notAFunction', 'Runtime.HandlerNotFound'],
  ['broken.handler', 'Error'],
])('a bundle without a working %s gives the reason', async (handler, errorType) => {
  const invoke = start(handler);
  expect(await invoke()).toMatchObject({ ok: false, errorType });
});

test('requests and responses are limited to 6 MB', async () => {
  const invoke = start('index.large');
  expect(await invoke({ size: payloadLimit - 2 })).toMatchObject({ ok: true });
  expect(await invoke({ size: payloadLimit })).toMatchObject({ errorType: 'Function.ResponseSizeTooLarge' });
  const event = { size: 1, text: 'x'.repeat(payloadLimit) };
  expect(await invoke(event)).toMatchObject({ errorType: 'RequestEntityTooLargeException' });
});

test('its output goes to the log', async () => {
  await start('index.prints')();
  while (!logged.includes('to stdout') || !logged.includes('to stderr')) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

test('concurrent invocations each get their own result', async () => {
  const invoke = start('index.echo');
  const events = Array.from({ length: 500 }, (_, index) => ({ index }));
  const answers = await Promise.all(events.map((event) => invoke(event)));
  expect(answers).toEqual(events.map((payload) => ({ ok: true, payload })));
});

test('no function starts after the stop', async () => {
  const invoke = start('index.echo');
  await lambda.stop();
  expect(await invoke()).toMatchObject({ ok: false });
});

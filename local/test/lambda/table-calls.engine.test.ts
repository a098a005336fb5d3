import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { JsonService } from '../../base/json-service.ts';
import { createLambdaRuntime, type LambdaRuntime } from '../../lambda/runtime.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { type FaultyEngine, startFaultyEngine } from '../../testing/faulty-engine.ts';
import { newFolder } from '../folder.ts';
import { aTable, client, engine, key } from '../tables/table.ts';

/** Calls the table by any client. `how` names it. */
const source = `
import http, { request as named } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
const { AWS_ENDPOINT_URL_DYNAMODB: tables, AWS_ACCESS_KEY_ID, SDK } = process.env;
const headersOf = (operation, { caller = AWS_ACCESS_KEY_ID, isSigned = true }) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.' + operation,
  'x-amz-date': '20300101T000000Z',
  ...(isSigned && { authorization: 'AWS4-HMAC-SHA256 Credential=' + caller + '/20300101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0' }),
});
const by = (request) => (operation, input, options) => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(options.endpoint ?? tables);
  const call = request({ hostname, port, method: 'POST', headers: headersOf(operation, options) });
  call.on('error', reject);
  call.on('response', async (response) => {
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    resolve({ status: response.statusCode, ...JSON.parse(text) });
  });
  if (options.giveUp) setTimeout(() => call.destroy(new Error('given up')), 20);
  if (options.timeout) call.setTimeout(20, () => call.destroy(new Error('timed out')));
  call.end(JSON.stringify(input));
});
const ways = {
  'http.request': by(http.request),
  'an import of request': by(named),
  'a built-in module': by(process.getBuiltinModule('node:http').request),
  'an address': by(({ hostname, port, ...rest }) => http.request('http://' + hostname + ':' + port, rest)),
  fetch: async (operation, input, options) => {
    const response = await fetch(tables, { method: 'POST', headers: headersOf(operation, options), body: JSON.stringify(input) });
    return { status: response.status, ...(await response.json()) };
  },
  'the SDK': async (operation, input) => {
    const sdk = process.getBuiltinModule('node:module').createRequire(SDK)(SDK);
    try {
      return { status: 200, ...(await new sdk.DynamoDB({ maxAttempts: 1 })[operation[0].toLowerCase() + operation.slice(1)](input)) };
    } catch (error) {
      return { status: 400, message: error.message };
    }
  },
};
export const handler = async ({ how = 'http.request', operation, input, ...options }) => {
  if (options.hangs) await sleep(1e6);
  try {
    return await ways[how](operation, input, options);
  } catch (error) {
    return { failed: error.message };
  }
};
`;

const TableName = 'Called';
const table = aTable(TableName);
const folder = newFolder();
const SDK = createRequire(import.meta.filename).resolve('@aws-sdk/client-dynamodb');
let faulty: FaultyEngine;
let gateway: JsonService;
let lambda: LambdaRuntime;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.mjs'), source);
  await ensureTables(engine.endpoint, [table]);
  await client.call('PutItem', { TableName, Item: { ...key('a'), text: { S: 'ä"\n😀' } } });
});
beforeEach(async () => {
  faulty = await startFaultyEngine(engine.endpoint);
  const { port1, port2 } = new MessageChannel();
  const statements = [{ Effect: 'Allow' as const, Action: 'dynamodb:GetItem', Resource: table.arn }];
  gateway = await startTableGateway(
    {
      engine: faulty.endpoint,
      principals: new Map([['Reader', { name: 'Reader', statements }]]),
      tables: [table],
      enforce: true,
    },
    [port1],
  );
  lambda = createLambdaRuntime({
    // Loading the SDK takes seconds on a busy machine.
    functions: Object.entries({ Reader: 60, Hasty: 1 }).map(([id, timeoutSeconds]) => ({
      id,
      region: 'us-east-1',
      code: folder,
      handler: 'index.handler',
      environment: { SDK },
      timeoutSeconds,
      memoryMb: 256,
      statements,
    })),
    tables: { endpoint: gateway.endpoint, control: port2 },
    principalOf: () => 'Reader',
    log: () => undefined,
  });
});
afterEach(async () => {
  await lambda.stop();
  await gateway.stop();
  await faulty.stop();
});

const call = async (event: object, id = 'Reader') => {
  const answer = await lambda.invoke(id, event);
  return answer.ok ? answer.payload : answer;
};
const get = { operation: 'GetItem', input: { TableName, Key: key('a') } };
const remove = { operation: 'DeleteItem', input: { TableName, Key: key('a') } };
const found = { status: 200, Item: { text: { S: 'ä"\n😀' } } };
const refused = {
  status: 400,
  message: expect.stringMatching(/Reader is not authorized to perform: dynamodb:DeleteItem/),
};

test.each(['http.request', 'an import of request', 'a built-in module', 'an address', 'fetch', 'the SDK'])(
  'a call by %s gets the same answer and the same refusal',
  async (how) => {
    expect(await call({ how, ...get })).toMatchObject(found);
    expect(await call({ how, ...remove })).toMatchObject(refused);
  },
);

test('calls need no HTTP', async () => {
  await gateway.stop();
  expect(await call(get)).toMatchObject(found);
  expect(await call({ how: 'the SDK', ...get })).toMatchObject(found);
  expect(await call({ how: 'fetch', ...get })).toEqual({ failed: 'fetch failed' });
});

test('a function that names another caller keeps its own role', async () => {
  expect(await call({ ...remove, caller: 'operator' })).toMatchObject(refused);
});

test.each(['http.request', 'fetch'])(
  'a call by %s without a signature is refused, as on AWS',
  async (how) => {
    expect(await call({ how, ...get, isSigned: false })).toMatchObject({
      status: 400,
      __type: expect.stringMatching(/#MissingAuthenticationTokenException$/),
    });
  },
);

test.each([
  ['giveUp', 'given up'],
  ['timeout', 'timed out'],
])('a call that is destroyed fails, and its late answer is dropped (%s)', async (how, message) => {
  const late = Promise.withResolvers<void>();
  faulty.fault = (operation) => (operation === 'GetItem' ? late.promise.then(() => 'none') : 'none');
  expect(await call({ ...get, [how]: true })).toEqual({ failed: message });
  late.resolve();
  faulty.fault = () => 'none';
  expect(await call(get)).toMatchObject(found);
});

test('a thread that replaces one that timed out calls its table', async () => {
  expect(await call({ ...get, hangs: true }, 'Hasty')).toMatchObject({ errorType: 'Sandbox.Timedout' });
  expect(await call(get, 'Hasty')).toMatchObject(found);
});

test('an endpoint of the function’s own wins', async () => {
  const seen: string[] = [];
  faulty.fault = (operation) => {
    seen.push(operation);
    return 'none';
  };
  expect(await call({ ...get, endpoint: faulty.endpoint })).toMatchObject(found);
  // Past the gateway, so it isn't refused.
  expect(await call({ ...remove, endpoint: faulty.endpoint })).toMatchObject({ status: 200 });
  expect(seen).toEqual(['GetItem', 'DeleteItem']);
});

test('a proxy before the engine sees the caller', async () => {
  const callers: string[] = [];
  faulty.fault = (_operation, _body, caller) => {
    callers.push(caller);
    return 'none';
  };
  await call(get);
  await call({ how: 'fetch', ...get });
  expect(callers).toEqual(['Reader', 'Reader']);
});

test('an engine that is gone is a failure with a reason', async () => {
  await faulty.stop();
  expect(await call(get)).toMatchObject({ status: 500, message: expect.stringContaining('ECONNREFUSED') });
  faulty = await startFaultyEngine(engine.endpoint);
});

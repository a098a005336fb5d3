import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineClient } from '../engine/engine-client.ts';
import { type LocalStack, startStack } from '../stack.ts';
import { type ForeignApp, synthesizeForeignApp } from './foreign-app.ts';
import { type Sent, send } from './http-client.ts';

const operatorKey = 'operatorForOurEyes';
let app: ForeignApp;
let stack: LocalStack;

const start = () =>
  startStack({
    assembly: app.assembly,
    data: app.data,
    apiPort: 0,
    distributionPort: 0,
    engine: 'sqlite',
    operatorKey,
    log: () => undefined,
  });

beforeAll(async () => {
  app = synthesizeForeignApp();
  stack = await start();
});
afterAll(() => stack.stop());

const only = (urls: Readonly<Record<string, string>>) => {
  const [url] = Object.values(urls);
  if (url === undefined) throw new Error('nothing is served');
  return new URL(url).host;
};
const api = (request: Sent) =>
  send(only(stack.apis), {
    ...request,
    headers: { 'x-pass': 'a-key-of-the-foreign-plan', ...request.headers },
  });

test('an app unknown to this repository is served', async () => {
  const put = await api({ method: 'PUT', path: '/v1.2/notes/first', body: 'hello' });
  expect(put).toMatchObject({ status: 200, json: { text: 'hello', caller: 'passed' } });
  expect((await api({ path: '/v1.2/notes/first' })).json).toEqual({ text: 'hello', caller: 'passed' });
});

test('its API keys and gateway responses work', async () => {
  expect((await api({ path: '/v1.2/notes/x', headers: { 'x-pass': 'another' } })).status).toBe(403);
  const { status, body } = await api({ path: '/elsewhere' });
  expect({ status, body }).toEqual({ status: 404, body: '{"nothing":"here"}' });
});

test('its stream reaches its function', async () => {
  await api({ method: 'PUT', path: '/v1.2/notes/streamed', body: 'x' });
  let status = 404;
  while (status === 404) {
    ({ status } = await api({ path: '/v1.2/notes/copy-streamed' }));
    await sleep(20);
  }
  expect(status).toBe(200);
});

test('a call without a grant in its template is refused', async () => {
  const { status, body } = await api({ method: 'DELETE', path: '/v1.2/notes/first' });
  expect(status).toBe(400);
  expect(body).toContain('AccessDenied');
});

test('its distribution works with addresses of this machine', async () => {
  const host = only(stack.distributions);
  const { json, headers } = await send(host, { path: '/p%20q' });
  expect(headers['x-host']).toBe(host);
  expect(json).toMatchObject({ rawPath: '/p%20q', api: `http://${only(stack.apis)}/` });
  expect(Object.values(stack.outputs)).toContain(`http://${host}/start`);
});

test('a function sees only its own environment', async () => {
  const { environment } = (await send(only(stack.distributions), { path: '/' })).json as {
    environment: Record<string, string>;
  };
  const known = /^(?:AWS_|LAMBDA_|_HANDLER$|LANG$|TZ$|TABLE$|SECRET$|API$)/;
  expect(Object.keys(environment).filter((name) => !known.test(name))).toEqual([]);
});

test('its table serves programs, and refuses web pages', async () => {
  const { host } = new URL(stack.endpoint);
  const asked = await send(host, {
    method: 'OPTIONS',
    path: '/',
    headers: { origin: 'https://evil.example' },
  });
  expect(asked.status).toBe(403);
  const operator = engineClient(stack.endpoint, { caller: operatorKey });
  const { TableNames } = await operator.call<{ TableNames: string[] }>('ListTables', {});
  operator.close();
  expect(TableNames).toEqual(stack.tables.map(({ name }) => name));
});

test.each(['operator', 'local', 'Store', ''])(
  'its table refuses a program that calls as %j',
  async (caller) => {
    const { id = '' } = stack.assembly.functions.find((one) => one.id.startsWith('Store')) ?? {};
    const stranger = engineClient(stack.endpoint, { caller: caller === 'Store' ? id : caller });
    await expect(stranger.call('ListTables', {})).rejects.toThrow(
      /token included in the request is invalid|missing/i,
    );
    stranger.close();
  },
);

test('it only listens on the loopback address', async () => {
  const ports = [only(stack.apis), only(stack.distributions), new URL(stack.endpoint).host].map(
    (host) => host.split(':')[1] ?? '',
  );
  for (const port of ports) {
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeGreaterThan(0);
    // Another address of this machine: a server on all addresses would answer here.
    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow();
  }
});

test('its data folders are closed to other users', () => {
  const open = readdirSync(app.data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => (statSync(join(app.data, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

test('data and secrets survive a restart', async () => {
  const secret = async () => (await send(only(stack.distributions), { path: '/' })).json;
  const before = await secret();
  await api({ method: 'PUT', path: '/v1.2/notes/kept', body: 'still here' });
  await stack.stop();
  stack = await start();
  expect((await api({ path: '/v1.2/notes/kept' })).json).toMatchObject({ text: 'still here' });
  const { secret: kept } = before as { secret: string };
  expect(kept).toHaveLength(48);
  expect(await secret()).toMatchObject({ secret: kept });
});

/** Keys of the table's items while no stack runs. */
const keysAfterStop = (): unknown[] => {
  const database = new DatabaseSync(join(app.data, 'dynamodb', 'tables.sqlite'), { readOnly: true });
  const rows = database.prepare(`SELECT pk FROM "items ${stack.tables[0]?.name}"`).all();
  database.close();
  return rows.map(({ pk }) => pk);
};

test('writes before a stop reach their function before the stack ends', async () => {
  await api({ method: 'PUT', path: '/v1.2/notes/last', body: 'x' });
  await stack.stop();
  const keys = keysAfterStop();
  stack = await start();
  expect(keys).toContain('copy-last');
});

test('a function that goes on and on keeps no stop waiting', async () => {
  await api({ method: 'PUT', path: '/v1.2/notes/endless', body: 'x' });
  await stack.stop();
  const keys = keysAfterStop();
  // The function would get its record again.
  rmSync(app.data, { recursive: true });
  stack = await start();
  expect(keys).toContain('endless');
  expect(keys).not.toContain('copy-endless');
});

test('a port in use is reported in one line, and nothing is left running', async () => {
  const [, taken] = only(stack.apis).split(':');
  const starting = startStack({
    assembly: app.assembly,
    apiPort: Number(taken),
    distributionPort: 0,
    portOptions: { api: '--api-port', distribution: '--distribution-port' },
    engine: 'sqlite',
    log: () => undefined,
  });
  await expect(starting).rejects.toThrow(
    `port ${taken} is already in use: stop the other program or choose another with --api-port`,
  );
});

import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Contract, statusOf } from '../../core/api/endpoint.ts';
import { api } from '../../core/api/index.ts';
import { type Scope, scopes } from '../../core/api-keys/scopes.ts';
import {
  aTime,
  coded,
  expectHeaders,
  newApp,
  newLink,
  newProject,
  payload,
  requestOf,
} from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

/** Sends the request line and headers exactly as given; resolves to the raw response. */
const raw = async (host: string, lines: readonly string[]): Promise<string> => {
  const [hostname, port] = host.split(':');
  const socket = connect(Number(port), hostname);
  socket.write(`${[...lines, `Host: ${host}`, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return text(socket);
};

/** Calls with secret keys; share-links.test.ts has the other one. */
const operations = Object.entries<Contract>(api).filter(([, { publishable }]) => !publishable);
const anywhere = { code: 'anywhere', id: randomUUID() };

describe('INVALID_API_KEY', () => {
  const unauthorized = (headers: Record<string, string>, path = '/links') =>
    stack.api('GET', path, { key: undefined, headers });
  const unknown = `dls_${'x'.repeat(40)}`;

  test.each([
    ['no key', {}],
    ['an unknown key', { 'X-API-KEY': unknown }],
    ['an empty key', { 'X-API-KEY': '' }],
    ['a key of another kind', { 'X-API-KEY': 'sk_live_1234567890' }],
    ['only the prefix', { 'X-API-KEY': 'dls_' }],
    ['a very long key', { 'X-API-KEY': `dls_${'x'.repeat(4000)}` }],
    ['a key with a blank', { 'X-API-KEY': `${unknown} x` }],
  ])('%s', async (_, headers: Record<string, string>) => {
    const { status, body } = await unauthorized(headers);
    expect([status, body]).toEqual([401, coded('INVALID_API_KEY')]);
  });

  test('two keys, different or equal, in any spelling of the header', async () => {
    const { key } = project;
    const other = await project.keyWith(['links:read']);
    const { host } = new URL(stack.facts.apiBaseUrl);
    const ask = (...sent: [name: string, value: string][]) =>
      raw(host, ['GET /1.0/links HTTP/1.1', ...sent.map(([name, value]) => `${name}: ${value}`)]);
    expect(await ask(['X-API-KEY', key])).toContain('HTTP/1.1 200');
    for (const answer of [
      await ask(['X-API-KEY', key], ['X-API-KEY', other]),
      await ask(['X-API-KEY', key], ['X-API-KEY', unknown]),
      await ask(['X-API-KEY', unknown], ['x-api-key', key]),
      await ask(['X-API-KEY', key], ['x-Api-Key', key]),
      await ask(['X-API-KEY', `${key}, ${other}`]),
    ]) {
      expect(answer).toContain('HTTP/1.1 401');
      expect(answer).toContain('INVALID_API_KEY');
    }
    expect(await ask(['X-API-KEY', key])).toContain('HTTP/1.1 200');
  });

  test('a valid key anywhere but in X-API-KEY', async () => {
    const { key } = project;
    const basic = Buffer.from(`${key}:`).toString('base64');
    for (const answer of [
      await unauthorized({ Authorization: `Bearer ${key}` }),
      await unauthorized({ Authorization: `Basic ${basic}` }),
      await unauthorized({ Authorization: key, Cookie: `X-API-KEY=${key}` }),
      await unauthorized({}, `/links?X-API-KEY=${key}&api_key=${key}`),
    ]) {
      expect([answer.status, answer.body]).toEqual([401, coded('INVALID_API_KEY')]);
    }
    const mixed = { Authorization: `Bearer ${unknown}`, 'x-Api-kEy': key };
    expect((await unauthorized(mixed)).status).toBe(200);
  });

  test('a revoked key, from the next request on', async () => {
    const { keyId, apiKey } = await stack.admin('key', 'create', '--project', project.id);
    expect((await stack.api('GET', '/links', { key: apiKey })).status).toBe(200);
    await stack.admin('key', 'revoke', keyId);
    for (const [, contract] of operations) {
      const [method, path, body] = requestOf(contract, anywhere);
      const answer = await stack.api(method, path, { key: apiKey, body });
      const timestamp = contract.timestamp === 'always' && { timestamp: aTime };
      expect([answer.status, answer.body]).toEqual([401, coded('INVALID_API_KEY', timestamp || {})]);
      expectHeaders(answer);
    }
  });
});

describe('INSUFFICIENT_PERMISSIONS', () => {
  test.each(operations.filter(([, { scope }]) => scope !== undefined))('%s', async (_, contract) => {
    const [method, path, body] = requestOf(contract, anywhere);
    const others = scopes.filter((scope) => scope !== contract.scope);
    const lacking = await stack.api(method, path, { key: await project.keyWith(others), body });
    const timestamp = contract.timestamp === 'always' && { timestamp: aTime };
    expect([lacking.status, lacking.body]).toEqual([403, coded('INSUFFICIENT_PERMISSIONS', timestamp || {})]);
    expectHeaders(lacking);
    // One scope is enough.
    const key = await project.keyWith([contract.scope as Scope]);
    expect((await stack.api(method, path, { key, body })).status).not.toBe(403);
  });

  test('to save an app with a link, with a key that may only write links', async () => {
    const shop = await newProject(stack);
    const [{ code }, app] = await Promise.all([newLink(shop), newApp(shop)]);
    const saving = { ios: { bundleId: 'com.example.sneaky', saveApp: true, appName: 'Sneaky' } };
    const linksOnly = await shop.keyWith(['links:write']);
    for (const [method, path] of [
      ['POST', '/links'],
      ['PUT', `/links/${code}`],
    ] as const) {
      const send = (section: object, key = linksOnly) =>
        stack.api(method, path, { key, body: { payload: { ...payload, ...section } } });
      const answer = await send(saving);
      expect([answer.status, answer.body]).toEqual([403, coded('INSUFFICIENT_PERMISSIONS')]);
      expect(answer.body.error.message).toContain('apps:write');
      expect((await send({ iosAppId: app.id })).status).toBeLessThan(300);
      expect((await send(saving, await shop.keyWith(['links:write', 'apps:write']))).status).toBeLessThan(
        300,
      );
    }
    expect((await shop.call('GET', '/mobile-apps')).body.data.total).toBe(3);
  });

  test('usage needs no permission', async () => {
    expect((await stack.api('GET', '/usage', { key: await project.keyWith([]) })).status).toBe(200);
  });
});

describe('SUBSCRIPTION_REQUIRED', () => {
  test('stops a project from creating links, and from nothing else', async () => {
    const shop = await newProject(stack);
    const targets = operations.map(async ([name, contract]) => {
      const [{ code }, { id }] = await Promise.all([newLink(shop), newApp(shop)]);
      return { name, contract, code, id };
    });
    const made = await Promise.all(targets);
    await stack.admin('project', 'subscription', shop.id, 'inactive');
    for (const { name, contract, ...target } of made) {
      const { status, body } = await shop.call(...requestOf(contract, target));
      if ('SUBSCRIPTION_REQUIRED' in (contract.failures ?? {}))
        expect([name, status, body]).toEqual([name, 402, coded('SUBSCRIPTION_REQUIRED')]);
      else expect([name, status]).toEqual([name, statusOf(contract)]);
    }
    await stack.admin('project', 'subscription', shop.id, 'active');
    expect((await shop.call('POST', '/links', { payload })).status).toBe(201);
  });
});

describe('links and apps of other projects', () => {
  const withoutTimes = (text: string) => text.replace(/"timestamp":"[^"]+"/g, '"timestamp":""');

  test.each(operations.filter(([, { params }]) => params !== undefined))(
    '%s responds as if they did not exist',
    async (_, contract) => {
      const other = await newProject(stack);
      const foreign = { code: (await newLink(other)).code, id: (await newApp(other)).id };
      const unused = { code: 'unused-one', id: randomUUID() };
      const outcomeOf = async (target: typeof foreign) => {
        const [method, path, body] = requestOf(contract, target);
        const { status, text } = await project.call(method, path, body);
        return [status, withoutTimes(text).replaceAll(target.code, 'CODE').replaceAll(target.id, 'ID')];
      };
      expect(await outcomeOf(foreign)).toEqual(await outcomeOf(unused));
      // And they are unchanged.
      expect((await other.call('GET', `/links/${foreign.code}`)).body.data.status).toBe('ACTIVE');
      expect((await other.call('GET', `/mobile-apps/${foreign.id}`)).body.data.name).toBe('Shop');
    },
  );

  test('are on no list, their codes are free, and their apps are unknown', async () => {
    const [mine, other] = await Promise.all([newProject(stack), newProject(stack)]);
    const { code } = await newLink(other, { code: 'same-code' });
    const { id } = await newApp(other);
    expect((await mine.call('GET', '/links')).body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect((await mine.call('GET', '/mobile-apps')).body.data).toEqual({ apps: [], total: 0 });
    expect((await mine.call('GET', `/links/check/${code}`)).body.data.available).toBe(true);
    expect((await newLink(mine, { code })).code).toBe(code);
    const naming = (iosAppId: string) => mine.call('POST', '/links', { payload: { ...payload, iosAppId } });
    expect((await naming(id)).text).toBe((await naming(randomUUID())).text);
  });
});

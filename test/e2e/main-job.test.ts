import { unique } from '../support/builders.ts';
import { eventually } from '../support/local-stack.ts';
import { sharedStack } from '../support/stack-fixtures.ts';
import { userAgents } from '../support/user-agents.ts';

const stack = sharedStack();

const payload = {
  link: 'https://example.com/landing',
  android: { package: 'com.example.app' },
  ios: { app_store_id: '123456789' },
};

const create = async (fields: object = {}) => {
  const { status, body } = await stack.api('POST', '/links', {
    body: { code: unique('code'), payload, ...fields },
  });
  expect(status).toBe(201);
  return body.data;
};

const figuresOf = (code: string, clicks: number) =>
  eventually(
    () => stack.api('GET', `/links/${code}`),
    ({ body }) => body.data.clickCount >= clicks,
  );

test('a link can be created, followed and counted', async () => {
  const { code, shortUrl } = await create();
  expect(shortUrl).toBe(`${stack.facts.shortBaseUrl}/${code}`);

  const visits = [
    [userAgents.iphone, 'DE', 'https://apps.apple.com/app/id123456789'],
    [
      userAgents.android,
      'FR',
      `https://play.google.com/store/apps/details?id=com.example.app&referrer=${encodeURIComponent(`deepLink=${encodeURIComponent(shortUrl)}`)}`,
    ],
    [userAgents.desktop, undefined, 'https://example.com/landing'],
    [userAgents.desktop, undefined, 'https://example.com/landing'],
  ] as const;
  for (const [userAgent, country, location] of visits) {
    const answer = await stack.visit(`/${code}`, {
      'User-Agent': userAgent,
      ...(country && { 'x-sim-viewer-country': country }),
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(location);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  }

  const { body } = await figuresOf(code, 4);
  expect(body.data.analytics).toEqual({
    totalClicks: 4,
    uniqueClicks: 3,
    clicksByPlatform: { ios: 1, android: 1, web: 2 },
    clicksByCountry: { DE: 1, FR: 1, other: 2 },
  });
  const listed = await stack.api('GET', '/links?pageSize=100');
  expect(listed.body.data.find((link: { code: string }) => link.code === code).clickCount).toBe(4);
});

test('an operator sees the clicks of a link', async () => {
  const { code } = await create();
  await stack.visit(`/${code}`, { 'User-Agent': userAgents.iphone });
  await figuresOf(code, 1);
  const figures = () => stack.admin('link', 'figures', code, '--project', 'demo');
  expect(await figures()).toMatchObject({ clicks: 1, uniques: 1 });
});

test('the folder of the project on the shared host works too', async () => {
  const { code } = await create();
  expect((await stack.visit(`/demo/${code}`)).status).toBe(302);
  expect((await stack.visit(`/another/${code}`)).status).toBe(404);
});

test('a paused link is not found, and works again as soon as it is active', async () => {
  const { code } = await create();
  const setStatus = (status: string) => stack.api('PUT', `/links/${code}/status`, { body: { status } });
  expect((await setStatus('PAUSED')).body.data).toMatchObject({ code, status: 'PAUSED' });
  const paused = await stack.visit(`/${code}`);
  expect(paused.status).toBe(404);
  expect(paused.text).toBe((await stack.visit('/never-existed')).text);
  expect((await setStatus('PAUSED')).body).toMatchObject({ success: false, error: { code: 'BAD_REQUEST' } });
  expect((await setStatus('ACTIVE')).status).toBe(200);
  expect((await stack.visit(`/${code}`)).status).toBe(302);
});

test('a link expires by itself and cannot be activated again', async () => {
  const { code } = await create({ expiresAt: new Date(Date.now() + 1000).toISOString() });
  expect((await stack.visit(`/${code}`)).status).toBe(302);
  await eventually(
    () => stack.visit(`/${code}`),
    ({ status }) => status === 404,
  );
  expect((await stack.api('GET', `/links/${code}`)).body.data.status).toBe('EXPIRED');
  const revived = await stack.api('PUT', `/links/${code}/status`, { body: { status: 'ACTIVE' } });
  expect(revived).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } });
});

test('a deleted link is not found, and its code stays taken', async () => {
  const { code, id } = await create();
  const deleted = await stack.api('DELETE', `/links/${code}`);
  expect(deleted.body).toEqual({ success: true, data: { message: expect.any(String), id, code } });
  expect((await stack.visit(`/${code}`)).status).toBe(404);
  expect((await stack.api('GET', `/links/${code}`)).body.error.code).toBe('LINK_NOT_FOUND');
  expect((await stack.api('GET', `/links/check/${code}`)).body.data.available).toBe(false);
  const again = await stack.api('POST', '/links', { body: { code, payload } });
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'CODE_ALREADY_EXISTS' } } });
});

test('check is a code like any other', async () => {
  expect((await stack.api('GET', '/links/check/check')).body.data.available).toBe(true);
  await create({ code: 'check' });
  expect((await stack.api('GET', '/links/check')).body.data.code).toBe('check');
  expect((await stack.api('PUT', '/links/check/status', { body: { status: 'PAUSED' } })).status).toBe(200);
  expect((await stack.visit('/check')).status).toBe(404);
  expect((await stack.api('DELETE', '/links/check')).status).toBe(200);
});

describe('an API key', () => {
  const call = (key: string | undefined) => stack.api('GET', '/links/check/anything', { key });

  test('that is missing, malformed or unknown gets an error in the shape of the API', async () => {
    for (const key of [undefined, 'nonsense', `dls_${'x'.repeat(40)}`]) {
      const answer = await call(key);
      expect(answer).toMatchObject({
        status: 401,
        body: { success: false, error: { code: 'INVALID_API_KEY', message: expect.any(String) } },
      });
    }
  });

  test('works at once, and stops working as soon as it is revoked', async () => {
    const { keyId, apiKey } = await stack.admin(
      'key',
      'create',
      '--project',
      'demo',
      '--scopes',
      'links:read',
    );
    expect((await call(apiKey)).status).toBe(200);
    expect((await stack.api('DELETE', '/links/anything', { key: apiKey })).body.error.code).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
    expect(await stack.admin('key', 'revoke', keyId)).toMatchObject({ keyId, revokedAt: expect.any(String) });
    expect((await call(apiKey)).status).toBe(401);
  });

  test('is revoked from standard input without being shown', async () => {
    const { keyId, apiKey } = await stack.admin('key', 'create', '--project', 'demo');
    expect((await call(apiKey)).status).toBe(200);
    const revoked = await stack.adminReading(`${apiKey}\n`, 'key', 'revoke', '-');
    expect(revoked).toMatchObject({ keyId, revokedAt: expect.any(String) });
    expect(JSON.stringify(revoked)).not.toContain(apiKey.slice(0, 12));
    expect((await call(apiKey)).status).toBe(401);
  });

  test('is never printed by any function', () => {
    expect(stack.log()).not.toContain(stack.facts.apiKey);
  });
});

test('a project has a folder on the shared host, and the root of a custom host', async () => {
  const id = unique('acme');
  expect(await stack.admin('project', 'create', id, '--name', 'Acme')).toMatchObject({
    id,
    name: 'Acme',
    subscription: 'active',
    shortBase: `${stack.facts.shortBaseUrl}/${id}`,
  });
  const { apiKey } = await stack.admin('key', 'create', '--project', id);
  const created = await stack.api('POST', '/links', { key: apiKey, body: { code: 'launch', payload } });
  expect(created.body.data.shortUrl).toBe(`${stack.facts.shortBaseUrl}/${id}/launch`);

  const host = `${id}.test`;
  expect(await stack.admin('domain', 'assign', host, '--project', id)).toEqual({ host, project: id });
  const shown = await stack.api('GET', '/links/launch', { key: apiKey });
  expect(shown.body.data.shortUrl).toBe(`https://${host}/launch`);
  expect((await stack.visit(`/${id}/launch`)).status).toBe(302);
});

test('a project without a subscription cannot create links', async () => {
  const id = unique('acme');
  await stack.admin('project', 'create', id, '--subscription', 'inactive');
  const { apiKey } = await stack.admin('key', 'create', '--project', id);
  const create = () => stack.api('POST', '/links', { key: apiKey, body: { payload } });
  expect(await create()).toMatchObject({ status: 402, body: { error: { code: 'SUBSCRIPTION_REQUIRED' } } });
  await stack.admin('project', 'subscription', id, 'active');
  expect((await create()).status).toBe(201);
});

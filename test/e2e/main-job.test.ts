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

test('a link expires automatically and cannot be activated again', async () => {
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

test('no function prints an API key', () => {
  expect(stack.log()).not.toContain(stack.facts.apiKey);
});

test('a project with a subscription has a folder on the shared host, and the root of a custom host', async () => {
  const id = unique('acme');
  const words = ['--name', 'Acme', '--subscription', 'inactive'];
  expect(await stack.admin('project', 'create', id, ...words)).toMatchObject({
    id,
    name: 'Acme',
    subscription: 'inactive',
    shortBase: `${stack.facts.shortBaseUrl}/${id}`,
  });
  const { apiKey } = await stack.admin('key', 'create', '--project', id);
  const create = () => stack.api('POST', '/links', { key: apiKey, body: { code: 'launch', payload } });
  expect((await create()).status).toBe(402);
  await stack.admin('project', 'subscription', id, 'active');
  const created = await create();
  expect(created.body.data.shortUrl).toBe(`${stack.facts.shortBaseUrl}/${id}/launch`);

  const host = `${id}.test`;
  expect(await stack.admin('domain', 'assign', host, '--project', id)).toEqual({ host, project: id });
  const shown = await stack.api('GET', '/links/launch', { key: apiKey });
  expect(shown.body.data.shortUrl).toBe(`https://${host}/launch`);
  expect((await stack.visit(`/${id}/launch`)).status).toBe(302);
});

import { appLinks } from '../../client/app.ts';
import { DynamicLinks, DynamicLinksError } from '../../client/index.ts';
import { aTime, iosApp, payload } from '../support/api.ts';
import { expectEventually } from '../support/local-stack.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
afterEach(() => jest.restoreAllMocks());

const client = (key = project.key) => new DynamicLinks({ url: stack.facts.apiBaseUrl, key });

test('a link lives from its creation to its end', async () => {
  const { links } = client();
  expect(await links.isAvailable('launch')).toBe(true);
  const created = await links.create({ code: 'launch', payload, tags: ['Summer'] });
  expect(created).toMatchObject({ code: 'launch', originalUrl: payload.link, status: 'ACTIVE' });
  expect(await links.isAvailable('launch')).toBe(false);
  expect(await links.update('launch', { payload, name: 'Launch' })).toBeUndefined();
  expect(await links.setStatus('launch', 'PAUSED')).toEqual({ status: 'PAUSED', updatedAt: aTime });
  expect(await links.get('launch')).toMatchObject({ name: 'Launch', status: 'PAUSED', tags: ['summer'] });
  expect(await links.delete('launch')).toBeUndefined();
  await expect(links.get('launch')).rejects.toMatchObject({ code: 'LINK_NOT_FOUND', status: 404 });
  await expect(links.update('launch', { payload })).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
});

test('links are listed by filters through every page, and by pages with a total', async () => {
  const dls = client();
  const drafts = Array.from({ length: 120 }, (_, index) => ({
    code: `many-${index}`,
    payload,
    tags: index % 2 === 0 ? ['even', 'all'] : ['all'],
  }));
  const { created, failed, results } = await dls.links.createMany([...drafts, { code: 'many-0', payload }]);
  expect({ created, failed }).toEqual({ created: 120, failed: 1 });
  expect(results.map(({ index }) => index)).toEqual(Array.from({ length: 121 }, (_, index) => index));
  expect(results[120]).toMatchObject({ success: false, error: { code: 'CODE_ALREADY_EXISTS' } });

  const codes = async (filter?: Parameters<typeof dls.links.list>[0]) => {
    const found: string[] = [];
    for await (const { code } of dls.links.list(filter)) found.push(code);
    return found.sort();
  };
  const expected = drafts.map(({ code }) => code).sort();
  expect(await codes({ tag: 'all' })).toEqual(expected);
  expect(await codes({ tag: ['all', 'even'] })).toEqual(
    expected.filter((code) => Number(code.slice(5)) % 2 === 0),
  );
  expect(await codes({ search: 'many-11' })).toHaveLength(11);
  expect(await codes()).toEqual(expect.arrayContaining(expected));
  const page = await dls.links.page({ page: 2, pageSize: 100 });
  expect(page.links.length).toBe(page.pagination.total - 100);
  expect(await dls.tags.list()).toMatchObject({ tags: expect.arrayContaining(['all', 'even']) });
});

test('apps, analytics and usage answer the data of the API', async () => {
  const dls = client();
  const app = await dls.apps.create({ ...iosApp, platform: 'IOS' });
  expect(await dls.apps.get(app.id)).toEqual(app);
  expect((await dls.apps.update(app.id, { name: 'New' })).name).toBe('New');
  expect((await dls.apps.list()).apps.map(({ id }) => id)).toContain(app.id);
  expect(await dls.apps.delete(app.id)).toBeUndefined();
  await expect(dls.apps.get(app.id)).rejects.toMatchObject({ code: 'MOBILE_APP_NOT_FOUND' });
  expect(await dls.analytics()).toEqual({ clicks: 0, uniqueClicks: 0 });
  expect(await dls.analytics({ groupBy: 'countries', interval: '7d' })).toEqual([]);
  expect(await dls.analytics({ groupBy: ['sources'] })).toEqual({ sources: [] });
  expect(await dls.analytics({ groupBy: ['count', 'sources'] })).toMatchObject({ sources: [] });
  expect((await dls.usage()).used).toBeGreaterThan(0);
  expect(await dls.request('GET', '/usage')).toMatchObject({ limit: expect.any(Number) });
});

test('failures name the fault', async () => {
  const { links } = client();
  await expect(links.create({ code: 'a b', payload: { link: 'x' } })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    status: 400,
    faults: [
      { field: 'code', message: expect.any(String) },
      { field: 'payload.link', message: expect.any(String) },
    ],
    attempts: 1,
  });
  await expect(client('dls_none').usage()).rejects.toMatchObject({ code: 'INVALID_API_KEY', status: 401 });
  const soon = new Date(Date.now() + 300).toISOString();
  await links.create({ code: 'brief', payload, expiresAt: soon });
  await expectEventually(() => links.get('brief')).toMatchObject({ status: 'EXPIRED' });
  for (const change of [() => links.update('brief', { payload }), () => links.patch('brief', {})]) {
    const late = await change().catch((error) => error);
    expect(late).toBeInstanceOf(DynamicLinksError);
    expect(late).toMatchObject({ code: 'LINK_EXPIRED', status: 400 });
  }
});

test('an app resolves a short URL, and is counted once', async () => {
  // Node's own user agent is a script's.
  const { fetch } = globalThis;
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((address, init) =>
      fetch(address, { headers: { 'user-agent': 'okhttp/4.12.0' }, ...init }),
    );
  const dls = client();
  const { shortUrl, code } = await dls.links.create({ payload });
  const { host } = new URL(stack.facts.shortBaseUrl);
  const app = appLinks({ hosts: [host], platform: 'android' });
  expect(app.parse(shortUrl)).toEqual({ shortUrl });
  expect(await app.resolve(`${shortUrl}?utm_source=a`, { first: true })).toMatchObject({
    code,
    link: `${payload.link}?utm_source=a`,
  });
  await expectEventually(() => dls.analytics({ code, event: 'opens' })).toEqual({ opens: 1, firstOpens: 1 });
  await dls.links.setStatus(code, 'PAUSED');
  expect(await app.resolve(shortUrl)).toBeNull();
});

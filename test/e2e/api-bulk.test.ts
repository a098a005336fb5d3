import { newMobileApp } from '../../core/apps/mobile-app.ts';
import {
  coded,
  fullPayload,
  iosApp,
  newApp,
  newLink,
  newProject,
  payload,
  storesOf,
  type TestProject,
} from '../support/api.ts';
import { unique } from '../support/builders.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const bulk = (links: unknown, headers: Record<string, string> = {}, { call }: TestProject = project) =>
  call('POST', '/links/bulk', { links }, headers);
const refused = (index: number, code: string) => ({
  index,
  success: false,
  error: coded(code).error,
});

test('100 links are created as by one call each', async () => {
  const owner = await newProject(stack);
  const links = Array.from({ length: 100 }, (_, i) => ({
    ...(i % 2 && { code: `many-${i}` }),
    name: `Link ${i}`,
    payload: { ...fullPayload, link: `https://example.com/${i}` },
    ...(i % 3 === 0 && { expiresAt: '2099-01-01' }),
  }));
  const before = (await owner.call('GET', '/usage')).body.data.used;
  const { status, body } = await bulk(links, {}, owner);
  expect([status, Object.keys(body), body.data.created, body.data.failed]).toEqual([
    200,
    ['success', 'data'],
    100,
    0,
  ]);
  expect((await owner.call('GET', '/usage')).body.data.used).toBe(before + 1);
  const single = (await owner.call('POST', '/links', links[0])).body.data;
  for (const [i, { index, success, link }] of body.data.results.entries()) {
    expect([index, success, link.originalUrl]).toEqual([i, true, `https://example.com/${i}`]);
    if (i % 3 === 0 && i % 2 === 0) expect(Object.keys(link)).toEqual(Object.keys(single));
  }
  const shown = (await owner.call('GET', '/links/many-1')).body.data;
  expect(shown).toMatchObject(body.data.results[1].link);
  expect(shown.payload).toEqual(links[1]?.payload);
  expect((await owner.call('GET', '/links?pageSize=1')).body.pagination.total).toBe(101);
});

test('links fail individually, each with its reason', async () => {
  const { code } = await newLink(project);
  const app = await newApp(project);
  const { status, body } = await bulk([
    { payload },
    { payload: {} },
    'text',
    null,
    [],
    { code, payload },
    { payload, expires_at: '2099-01-01' },
    { payload, expiresAt: '2020-01-01' },
    { payload: { ...payload, iosAppId: app.id } },
    { payload: { ...payload, androidAppId: app.id } },
    { payload: { ...payload, ios: { bundleId: 'b', saveApp: true, appName: 'Saved' } } },
    {},
  ]);
  expect(status).toBe(200);
  expect([body.data.created, body.data.failed]).toEqual([3, 9]);
  const { results } = body.data;
  expect([0, 8, 10].map((i) => results[i].success)).toEqual([true, true, true]);
  for (const i of [1, 2, 3, 4, 6, 7, 9, 11]) expect(results[i]).toEqual(refused(i, 'VALIDATION_ERROR'));
  expect(results[5]).toEqual(refused(5, 'CODE_ALREADY_EXISTS'));
  expect(results[6].error.message).toContain('expires_at: is unknown; use expiresAt');
  expect(results[2].error.message).toBe(
    'link: must be an object, such as {"payload":{"link":"https://shop.example.com/summer"}}',
  );
  const apps = (await project.call('GET', '/mobile-apps')).body.data.apps;
  expect(apps.map(({ name }: { name: string }) => name)).toContain('Saved');
});

test.each([
  ['nothing', {}],
  ['an empty list', { links: [] }],
  ['101 links', { links: Array(101).fill({ payload }) }],
  ['no list', { links: { payload } }],
  ['a list by another name', { Links: [{ payload }] }],
  ['an array', [{ payload }]],
])('a body with %s is refused as a whole', async (_, body) => {
  const answer = await project.call('POST', '/links/bulk', body);
  expect([answer.status, answer.body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(answer.body.error.message).toMatch(/links|body/);
});

test('a body may have 1 MB, but not a byte more', async () => {
  const body = JSON.stringify({ links: [{ payload }] });
  const padded = body.padEnd(1_048_576);
  expect((await project.call('POST', '/links/bulk', padded)).status).toBe(200);
  expect((await project.call('POST', '/links/bulk', `${padded} `)).status).toBe(400);
});

test('each link needs the scopes of a single creation', async () => {
  const call = async (scopes: Parameters<TestProject['keyWith']>[0], links: unknown[]) =>
    stack.api('POST', '/links/bulk', { key: await project.keyWith(scopes), body: { links } });
  expect((await call(['links:read', 'apps:write'], [{ payload }])).status).toBe(403);
  const saving = { payload: { ...payload, ios: { bundleId: 'b', saveApp: true, appName: 'A' } } };
  const { status, body } = await call(['links:write'], [saving, { payload }]);
  expect([status, body.data.results[0], body.data.results[1].success]).toEqual([
    200,
    refused(0, 'INSUFFICIENT_PERMISSIONS'),
    true,
  ]);
});

describe('with an Idempotency-Key', () => {
  test('a repetition keeps the created links and retries the others', async () => {
    const owner = await newProject(stack);
    const headers = { 'Idempotency-Key': unique('attempt') };
    const links = [{ payload: { ...payload, iosAppId: 'not-yet' } }, { payload }, { code: 'mine', payload }];
    const first = await bulk(links, headers, owner);
    expect([first.body.data.created, first.body.data.failed]).toEqual([2, 1]);
    // Creates the app that the first link names, under its id.
    const draft = { ...iosApp, platform: 'IOS', bundleId: 'b' } as const;
    await storesOf(stack).apps.create(owner.id, newMobileApp('not-yet', draft, new Date()));
    const again = await bulk(links, headers, owner);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.body.data.created, again.body.data.failed]).toEqual([3, 0]);
    expect(again.body.data.results.slice(1)).toEqual(first.body.data.results.slice(1));
    const third = await bulk(links, headers, owner);
    expect(third.body.data).toEqual(again.body.data);
    expect((await owner.call('GET', '/links')).body.pagination.total).toBe(3);
  });

  test('a repetition without a subscription returns the created links', async () => {
    const owner = await newProject(stack);
    const headers = { 'Idempotency-Key': unique('attempt') };
    const links = [{ payload }, { code: 'x', payload }];
    const first = await bulk(links, headers, owner);
    expect(first.body.data.failed).toBe(1);
    await storesOf(stack).projects.setSubscription(owner.id, 'inactive');
    const again = await bulk(links, headers, owner);
    expect([again.status, again.body.data.results[0]]).toEqual([200, first.body.data.results[0]]);
    expect(again.body.data.results[1].success).toBe(false);
  });

  test('a call that failed as a whole is not remembered', async () => {
    const owner = await newProject(stack, { subscription: 'inactive' });
    const headers = { 'Idempotency-Key': unique('attempt') };
    expect((await bulk([{ payload }], headers, owner)).status).toBe(402);
    expect((await bulk([], headers, owner)).status).toBe(400);
    await storesOf(stack).projects.setSubscription(owner.id, 'active');
    const made = await bulk([{ payload }, { payload }], headers, owner);
    expect([made.body.data.created, made.headers.get('idempotent-replayed')]).toEqual([2, null]);
  });
});

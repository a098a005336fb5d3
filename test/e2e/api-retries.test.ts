import {
  coded,
  fullPayload,
  iosApp,
  newProject,
  payload,
  storesOf,
  type TestProject,
} from '../support/api.ts';
import { unique } from '../support/builders.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const newKey = () => ({ 'Idempotency-Key': unique('attempt') });
const total = async ({ call }: TestProject) => (await call('GET', '/links?pageSize=1')).body.pagination.total;

describe.each([
  ['/links', { name: 'N', payload: fullPayload, expiresAt: '2099-01-01' }],
  ['/links', { code: 'chosen', payload }],
  ['/links/bulk', { links: [{ payload }, { code: 'bulk-chosen', payload }] }],
  ['/mobile-apps', { ...iosApp, appStoreId: '1' }],
])('a repeated call to %s', (path, body) => {
  test('gets the first response, and creates nothing', async () => {
    const owner = await newProject(stack);
    const headers = newKey();
    const first = await owner.call('POST', path, body, headers);
    expect(first.status).toBeLessThan(300);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const countBefore = [await total(owner), (await owner.call('GET', '/mobile-apps')).body.data.total];
    for (let i = 0; i < 2; i += 1) {
      const again = await owner.call('POST', path, body, headers);
      expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    }
    const countAfter = [await total(owner), (await owner.call('GET', '/mobile-apps')).body.data.total];
    expect(countAfter).toEqual(countBefore);
  });

  test('whose body differs by one byte is refused', async () => {
    const owner = await newProject(stack);
    const headers = newKey();
    expect((await owner.call('POST', path, body, headers)).status).toBeLessThan(300);
    const before = await total(owner);
    const answer = await owner.call('POST', path, `${JSON.stringify(body)} `, headers);
    const extra = path === '/mobile-apps' ? { timestamp: expect.anything() } : {};
    expect([answer.status, answer.body]).toEqual([409, coded('IDEMPOTENCY_KEY_REUSED', extra)]);
    expect(await total(owner)).toBe(before);
  });

  test('sent 50 times at once creates once, and all get that response', async () => {
    const owner = await newProject(stack);
    const headers = newKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => owner.call('POST', path, body, headers)),
    );
    const [first] = answers;
    for (const { status, body: answered } of answers) {
      expect([status, answered.data]).toEqual([first?.status, first?.body.data]);
    }
    const apps = (await owner.call('GET', '/mobile-apps')).body.data.total;
    const made = { '/links': 1, '/links/bulk': 2, '/mobile-apps': 0 }[path];
    expect([await total(owner), apps]).toEqual([made, path === '/mobile-apps' ? 1 : 0]);
  });
});

test('a key is valid for one project and one path', async () => {
  const headers = newKey();
  const first = await project.call('POST', '/links', { payload }, headers);
  const other = await newProject(stack);
  const there = await other.call('POST', '/links', { payload }, headers);
  expect([there.status, there.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(there.body.data.code).not.toBe(first.body.data.code);
  expect((await project.call('POST', '/mobile-apps', iosApp, headers)).status).toBe(201);
  expect((await project.call('POST', '/links/bulk', { links: [{ payload }] }, headers)).status).toBe(200);
});

test('a failed call is not remembered', async () => {
  const headers = newKey();
  const refused = await project.call('POST', '/links', { payload: {} }, headers);
  expect(refused.status).toBe(400);
  const taken = await project.call('POST', '/links', { code: 'taken-one', payload });
  expect(taken.status).toBe(201);
  expect((await project.call('POST', '/links', { code: 'taken-one', payload }, headers)).status).toBe(409);
  const made = await project.call('POST', '/links', { payload }, headers);
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('a repetition returns the first response, even after changes', async () => {
  const owner = await newProject(stack);
  const headers = newKey();
  const first = await owner.call('POST', '/links', { payload }, headers);
  const { code } = first.body.data;
  await owner.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
  await storesOf(stack).domains.assign({ host: `${owner.id}.example`, project: owner.id });
  expect((await owner.call('GET', `/links/${code}`)).body.data.shortUrl).toContain('.example/');
  const again = await owner.call('POST', '/links', { payload }, headers);
  expect(again.body.data).toEqual(first.body.data);
  await owner.call('DELETE', `/links/${code}`);
  expect((await owner.call('POST', '/links', { payload }, headers)).body.data).toEqual(first.body.data);
});

test('a repetition needs the key and its scope, not the subscription, and uses the quota', async () => {
  const owner = await newProject(stack);
  const headers = newKey();
  const body = JSON.stringify({ payload });
  const first = await owner.call('POST', '/links', body, headers);
  await storesOf(stack).projects.setSubscription(owner.id, 'inactive');
  const again = await owner.call('POST', '/links', body, headers);
  expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  const left = (answer: typeof first) => Number(answer.headers.get('x-ratelimit-remaining'));
  expect(left(again)).toBe(left(first) - 1);
  expect((await owner.call('POST', '/links', body, newKey())).status).toBe(402);
  const reader = await owner.keyWith(['links:read']);
  const refused = await stack.api('POST', '/links', { key: reader, body, headers });
  expect([refused.status, refused.body]).toEqual([403, coded('INSUFFICIENT_PERMISSIONS')]);
});

test.each([
  ['that is empty', ''],
  ['of blanks', '   '],
  ['that is too long', 'k'.repeat(256)],
  ['beyond ASCII', 'schl\u00fcssel'],
  ['with a tab', 'a\tb'],
])('a key %s is refused', async (_, key) => {
  for (const [path, body] of [
    ['/links', { payload }],
    ['/links/bulk', { links: [{ payload }] }],
    ['/mobile-apps', iosApp],
  ] as const) {
    const { status, body: answered } = await project.call('POST', path, body, { 'Idempotency-Key': key });
    expect([status, answered.error]).toEqual([400, coded('VALIDATION_ERROR').error]);
    expect(answered.error.message).toContain('Idempotency-Key');
  }
});

test('the longest key of odd characters is valid; other methods ignore the header', async () => {
  const key = { 'idempotency-KEY': `!"#$%&'()*+,/:;<=>?@[]^\`{|}~ ${'k'.repeat(226)}` };
  const first = await project.call('POST', '/links', { payload }, key);
  const again = await project.call('POST', '/links', { payload }, key);
  expect([first.status, again.body.data]).toEqual([201, first.body.data]);
  const { code } = first.body.data;
  const update = await project.call(
    'PUT',
    `/links/${code}`,
    { payload, name: 'A' },
    { 'Idempotency-Key': '' },
  );
  expect(update.status).toBe(200);
});

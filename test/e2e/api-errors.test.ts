import { randomUUID } from 'node:crypto';
import { aMessage, aTime, coded, iosApp, newApp, newLink, payload, storesOf } from '../support/api.ts';
import { eventually } from '../support/local-stack.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

/** A link that has just expired. */
const expiredLink = async () => {
  const { code } = await newLink(project, { expiresAt: new Date(Date.now() + 300).toISOString() });
  const shown = () => project.call('GET', `/links/${code}`);
  await eventually(shown, ({ body }) => body.data.status === 'EXPIRED');
  return code;
};

/** Links by their state. */
const links: Readonly<Record<string, () => string | Promise<string>>> = {
  unknown: () => 'unknown',
  active: async () => (await newLink(project)).code,
  paused: async () => {
    const { code } = await newLink(project);
    await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
    return code;
  },
  expired: expiredLink,
  deleted: async () => {
    const { code } = await newLink(project);
    await project.call('DELETE', `/links/${code}`);
    return code;
  },
};

type Refusal = readonly [status: number, body: object];
const noLink: Refusal = [404, coded('LINK_NOT_FOUND')];
const plainNoLink: Refusal = [404, { success: false, error: 'Link not found' }];
const plainExpired: Refusal = [400, { success: false, error: aMessage }];
const isBad: Refusal = [400, coded('BAD_REQUEST')];
const isInvalid: Refusal = [400, coded('VALIDATION_ERROR')];
const isTaken: Refusal = [409, coded('CODE_ALREADY_EXISTS')];
const pause = { status: 'PAUSED' };

test.each<[method: string, path: string, body: object | undefined, refusals: Record<string, Refusal>]>([
  ['GET', '', undefined, { unknown: noLink, deleted: noLink }],
  ['PUT', '', { payload }, { unknown: plainNoLink, deleted: plainNoLink, expired: plainExpired }],
  ['PUT', '', { payload: {} }, { active: isInvalid }],
  ['PUT', '/status', pause, { unknown: noLink, deleted: noLink, paused: isBad, expired: isBad }],
  ['PUT', '/status', { status: 'ACTIVE' }, { active: isBad, expired: isBad }],
  ['PUT', '/status', { status: 'active' }, { active: isInvalid }],
  ['PUT', '/status', { status: 'DELETED' }, { active: isInvalid }],
  ['PUT', '/status', {}, { active: isInvalid }],
  ['DELETE', '', undefined, { unknown: noLink, deleted: noLink }],
])('%s /links/CODE%s with %j is refused', async (method, path, body, refusals) => {
  for (const [state, [status, refusal]] of Object.entries(refusals)) {
    const answer = await project.call(method, `/links/${await links[state]?.()}${path}`, body);
    expect([state, answer.status, answer.body]).toEqual([state, status, refusal]);
  }
});

test.each(['active', 'deleted'])('the code of a link that is %s is taken', async (state) => {
  const { status, body } = await project.call('POST', '/links', { code: await links[state]?.(), payload });
  expect([status, body]).toEqual(isTaken);
});

const shown = async (code: string) => (await project.call('GET', `/links/${code}`)).body.data;

test.each(['PUT', 'PATCH'])(
  '%s refuses another code or status, and takes those of the link',
  async (method) => {
    const { code } = await newLink(project, { expiresAt: '2099-01-01' });
    const change = async (fields: object) => {
      const { status, body } = await project.call(method, `/links/${code}`, { payload, ...fields });
      return status === 200 ? 'taken' : `${body.error.code} ${body.error.message}`;
    };
    const statusOf = (status: string) => `status: is ${status}; PUT /1.0/links/${code}/status changes it`;
    const codeStays = "code: can't be changed, because a link keeps its code; leave it out";
    expect(await change({ name: 'A', status: 'PAUSED' })).toBe(`VALIDATION_ERROR ${statusOf('ACTIVE')}`);
    expect(await change({ name: 'A', status: 7, code: 'other' })).toBe(
      `VALIDATION_ERROR ${codeStays}; ${statusOf('ACTIVE')}`,
    );
    expect(await change({ alias: code })).toBe(`VALIDATION_ERROR ${codeStays.replace('code', 'alias')}`);
    expect(await shown(code)).not.toHaveProperty('name');
    expect(await change({ status: 'ACTIVE', code, name: 'B' })).toBe('taken');
    expect(await change({ status: null, code: null })).toBe('taken');
    await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
    expect(await change({ status: 'ACTIVE' })).toBe(`VALIDATION_ERROR ${statusOf('PAUSED')}`);
    expect(await change({ status: 'PAUSED' })).toBe('taken');
    expect(await shown(code)).toMatchObject({ name: 'B', status: 'PAUSED' });
  },
);

test('a missing, blocked or expired link is reported first', async () => {
  const body = { payload, status: 'PAUSED', code: 'another' };
  const { code } = await newLink(project);
  await storesOf(stack).links.block(project.id, code, { now: new Date() });
  const expired = await expiredLink();
  for (const method of ['PUT', 'PATCH']) {
    const errorFor = async (one: string) => (await project.call(method, `/links/${one}`, body)).body.error;
    expect(await errorFor('missing')).toBe('Link not found');
    expect(await errorFor(code)).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('blocked'),
    });
    expect(await errorFor(expired)).toBe('The link has expired and cannot be changed');
  }
});

const noApp: Refusal = [404, { success: false, error: 'Mobile app not found', timestamp: aTime }];
const isInvalidApp: Refusal = [400, coded('VALIDATION_ERROR', { timestamp: aTime })];

test.each<[method: string, path: string, body: object | undefined, refusal: Refusal]>([
  ['POST', '/links', {}, isInvalid],
  ['POST', '/links', { payload, status: 'EXPIRED' }, isInvalid],
  ['GET', '/links?pageSize=101', undefined, [400, coded('INVALID_PARAMETERS')]],
  ['GET', '/links/check/no.dots', undefined, isInvalid],
  ['POST', '/mobile-apps', { name: 'x' }, isInvalidApp],
  ['GET', '/mobile-apps/1', undefined, noApp],
  ['GET', `/mobile-apps/${randomUUID()}`, undefined, noApp],
  ['PUT', `/mobile-apps/${randomUUID()}`, { name: 'x' }, noApp],
  ['DELETE', `/mobile-apps/${randomUUID()}`, undefined, noApp],
])('%s %s with %j is refused', async (method, path, body, refusal) => {
  const answer = await project.call(method, path, body);
  expect([answer.status, answer.body]).toEqual(refusal);
});

test('a VALIDATION_ERROR lists every fault, also of a link of many', async () => {
  const tags = Array.from({ length: 30 }, () => '!');
  const faultsOf = async (path: string, body: unknown) => {
    const { error, data } = (await project.call('POST', path, body)).body;
    return (error ?? data.results[0].error).faults;
  };
  const link = { payload: { link: 'ftp://a' }, tags, expires_at: '2099-01-01' };
  const faults = await faultsOf('/links', link);
  const paths = ['payload.link', ...tags.map((_, index) => `tags.${index}`), 'expires_at'].sort();
  expect(faults.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  expect(faults).toContainEqual({ path: 'payload.link', message: 'must be an absolute http or https URL' });
  expect(await faultsOf('/links/bulk', { links: [link] })).toEqual(faults);
  const isObject = expect.stringMatching(/^must be an object/);
  expect(await faultsOf('/links/bulk', { links: [7] })).toEqual([{ path: '', message: isObject }]);
  expect(await faultsOf('/links', [])).toEqual([{ path: '', message: isObject }]);
  const notJson = { path: '', message: 'The request body is not valid JSON' };
  expect(await faultsOf('/links', '{')).toEqual([notJson]);
});

test('a response lists the names that the call ignored', async () => {
  const ignoredBy = async (method: string, path: string, body: object) => {
    const { status, headers } = await project.call(method, path, body);
    return [status, headers.get('x-ignored-fields')];
  };
  const { code } = await newLink(project);
  const { id } = await newApp(project);
  const odd = { foo: 1, payload: { ...payload, bar: {}, data: { any: 'x' }, social: { 'ü, ✓': 1 } } };
  const odds = 'foo, payload.bar, payload.social.%C3%BC%2C%20%E2%9C%93';
  expect(await ignoredBy('POST', '/links', odd)).toEqual([201, odds]);
  expect(await ignoredBy('POST', '/links', { payload })).toEqual([201, null]);
  expect(
    await ignoredBy('POST', '/links/bulk', { links: [{ payload, foo: 1, expires: 1 }, 7], x: 1 }),
  ).toEqual([200, 'links.0.foo, x']);
  for (const method of ['PUT', 'PATCH'])
    expect(await ignoredBy(method, `/links/${code}`, { ...odd, code, id })).toEqual([200, `${odds}, id`]);
  expect(await ignoredBy('PUT', `/links/${code}/status`, { status: 'PAUSED', x: 1 })).toEqual([200, 'x']);
  expect(await ignoredBy('POST', '/mobile-apps', { ...iosApp, x: 1 })).toEqual([201, 'x']);
  expect(await ignoredBy('PUT', `/mobile-apps/${id}`, { name: 'New', x: 1 })).toEqual([200, 'x']);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}${'x'.repeat(200)}`, 1]));
  const [, long] = await ignoredBy('PATCH', `/links/${code}`, many);
  expect(String(long).split(', ')).toEqual(
    Object.keys(many)
      .slice(0, 20)
      .map((name) => name.slice(0, 100)),
  );
  expect(await ignoredBy('PATCH', `/links/${code}`, { ['✓'.repeat(12)]: 1, '\ud800': 1 })).toEqual([
    200,
    `${'%E2%9C%93'.repeat(11)}, %EF%BF%BD`,
  ]);
  expect(await ignoredBy('POST', '/links', { ...odd, alias: 'x' })).toEqual([400, null]);
});

test('the identifier of an app can not be cleared', async () => {
  const { id } = await newApp(project);
  const { status, body } = await project.call('PUT', `/mobile-apps/${id}`, { bundleId: null });
  expect([status, body]).toEqual(isInvalidApp);
});

test.each([
  ['GET', '/nothing', 404],
  ['GET', '/links/one/two/three', 404],
])('%s %s is not an endpoint', async (method, path, status) => {
  const answer = await stack.api(method, path, { key: project.key });
  expect([answer.status, answer.body]).toEqual([status, coded('NOT_FOUND')]);
  expect(answer.body.error.message).toContain('paths begin with /1.0, such as /1.0/links');
});

test.each(['/links', '/links/bulk'])('an array sent to %s names the call for several links', async (path) => {
  const { status, body } = await project.call('POST', path, [{ payload }]);
  expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(body.error.message).toContain('POST /1.0/links/bulk creates several links, from {"links": […]}');
});

// Lambda takes 6 MB, the gateway 10.
test.each([7, 11])('a body of %i MB is refused like any that is too large', async (megabytes) => {
  const sent = ' '.repeat(megabytes * 1024 * 1024);
  const { status, body } = await stack.api('POST', '/links', { key: project.key, body: sent });
  expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(body.error.message).toContain('send at most 65536 bytes');
});

test.each([
  ['PATCH', '/links', 'GET, POST'],
  ['POST', '/links/launch', 'GET, PUT, PATCH, DELETE'],
  ['OPTIONS', '/links/bulk', 'GET, POST, PUT, PATCH, DELETE'],
  ['POST', '/openapi.json', 'GET'],
])('%s %s gets the allowed methods, without a key', async (method, path, allow) => {
  const body = method === 'OPTIONS' ? undefined : 'no JSON';
  const headers = { 'Content-Type': 'text/plain' };
  const { status, headers: given, body: answer } = await stack.api(method, path, { body, headers });
  expect([status, given.get('allow'), answer]).toEqual([405, allow, coded('METHOD_NOT_ALLOWED')]);
  expect(answer.error.message).toContain(allow);
  expect(given.get('x-ratelimit-limit')).toBe('180000');
});

test.each([
  ['application/x-www-form-urlencoded', 'a=1', 'GET, POST'],
  ['application/merge-patch+json; charset=utf-8', '{}', 'GET, POST'],
  ['multipart/form-data; boundary=b', '--b--', 'GET, POST'],
  // API Gateway's constant responses know some media types only.
  ['application/x-of-its-own', 'x', undefined],
])('a wrong method with a body of type %s gets 405', async (type, body, allow) => {
  const headers = { 'Content-Type': type };
  const { status, headers: given, body: answer } = await stack.api('PATCH', '/links', { body, headers });
  expect([status, given.get('allow') ?? undefined, answer]).toEqual([
    405,
    allow,
    coded('METHOD_NOT_ALLOWED'),
  ]);
});

test('a wrong method has exactly the documented response', async () => {
  const response = await fetch(`${stack.facts.apiBaseUrl}/1.0/links`, { method: 'PATCH' });
  const message = 'This path supports only GET, POST';
  expect(await response.text()).toBe(
    JSON.stringify({ success: false, error: { code: 'METHOD_NOT_ALLOWED', message } }),
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    allow: 'GET, POST',
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': '180000',
  });
});

test('a wrong method uses no quota, and HEAD has no body', async () => {
  const used = async () => (await project.call('GET', '/usage')).body.data.used;
  const before = await used();
  for (const method of ['PATCH', 'HEAD']) {
    const { status, headers } = await stack.api(method, '/links', { key: project.key });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  }
  expect(await used()).toBe(before);
});

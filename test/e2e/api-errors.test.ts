import { randomUUID } from 'node:crypto';
import { aMessage, aTime, coded, newApp, newLink, payload } from '../support/api.ts';
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

type Row = readonly [what: string, status: number, body: object, request: () => Promise<readonly unknown[]>];
const to =
  (...request: readonly unknown[]) =>
  () =>
    Promise.resolve(request);
const statusOf = async (code: string, status: unknown) => ['PUT', `/links/${code}/status`, { status }];
const paused = async () => {
  const { code } = await newLink(project);
  await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
  return code;
};
const deleted = async () => {
  const { code } = await newLink(project);
  await project.call('DELETE', `/links/${code}`);
  return code;
};
const plainNoLink = { success: false, error: 'Link not found' };
const noApp = { success: false, error: 'Mobile app not found', timestamp: aTime };
const appPath = `/mobile-apps/${randomUUID()}`;

test.each<Row>([
  ['create without a payload', 400, coded('VALIDATION_ERROR'), to('POST', '/links', {})],
  ['create with a short code', 400, coded('VALIDATION_ERROR'), to('POST', '/links', { code: 'ab', payload })],
  [
    'create with a used code',
    409,
    coded('CODE_ALREADY_EXISTS'),
    async () => ['POST', '/links', { code: (await newLink(project)).code, payload }],
  ],
  [
    'create with the code of a deleted link',
    409,
    coded('CODE_ALREADY_EXISTS'),
    async () => ['POST', '/links', { code: await deleted(), payload }],
  ],
  ['list with a large page', 400, coded('INVALID_PARAMETERS'), to('GET', '/links?pageSize=101')],
  ['get an unknown link', 404, coded('LINK_NOT_FOUND'), to('GET', '/links/unknown')],
  ['get a deleted link', 404, coded('LINK_NOT_FOUND'), async () => ['GET', `/links/${await deleted()}`]],
  ['update an unknown link', 404, plainNoLink, to('PUT', '/links/unknown', { payload })],
  ['update a deleted link', 404, plainNoLink, async () => ['PUT', `/links/${await deleted()}`, { payload }]],
  [
    'update an expired link',
    400,
    { success: false, error: aMessage },
    async () => ['PUT', `/links/${await expiredLink()}`, { payload, expiresAt: null }],
  ],
  [
    'update without a destination',
    400,
    coded('VALIDATION_ERROR'),
    async () => ['PUT', `/links/${(await newLink(project)).code}`, { payload: {} }],
  ],
  [
    'a status that does not exist',
    400,
    coded('VALIDATION_ERROR'),
    async () => statusOf((await newLink(project)).code, 'active'),
  ],
  [
    'the status EXPIRED',
    400,
    coded('VALIDATION_ERROR'),
    async () => statusOf((await newLink(project)).code, 'EXPIRED'),
  ],
  [
    'the status DELETED',
    400,
    coded('VALIDATION_ERROR'),
    async () => statusOf((await newLink(project)).code, 'DELETED'),
  ],
  [
    'no status',
    400,
    coded('VALIDATION_ERROR'),
    async () => statusOf((await newLink(project)).code, undefined),
  ],
  ['status of an unknown link', 404, coded('LINK_NOT_FOUND'), () => statusOf('unknown', 'PAUSED')],
  ['status of a deleted link', 404, coded('LINK_NOT_FOUND'), async () => statusOf(await deleted(), 'PAUSED')],
  [
    'activate an active link',
    400,
    coded('BAD_REQUEST'),
    async () => statusOf((await newLink(project)).code, 'ACTIVE'),
  ],
  ['pause a paused link', 400, coded('BAD_REQUEST'), async () => statusOf(await paused(), 'PAUSED')],
  [
    'activate an expired link',
    400,
    coded('BAD_REQUEST'),
    async () => statusOf(await expiredLink(), 'ACTIVE'),
  ],
  ['pause an expired link', 400, coded('BAD_REQUEST'), async () => statusOf(await expiredLink(), 'PAUSED')],
  ['delete an unknown link', 404, coded('LINK_NOT_FOUND'), to('DELETE', '/links/unknown')],
  [
    'delete a deleted link',
    404,
    coded('LINK_NOT_FOUND'),
    async () => ['DELETE', `/links/${await deleted()}`],
  ],
  ['check a malformed code', 400, coded('VALIDATION_ERROR'), to('GET', '/links/check/no.dots')],
  [
    'create an app of no platform',
    400,
    coded('VALIDATION_ERROR', { timestamp: aTime }),
    to('POST', '/mobile-apps', { name: 'x' }),
  ],
  ['get an unknown app', 404, noApp, to('GET', appPath)],
  ['get an app by something that is no id', 404, noApp, to('GET', '/mobile-apps/1')],
  ['update an unknown app', 404, noApp, to('PUT', appPath, { name: 'x' })],
  ['delete an unknown app', 404, noApp, to('DELETE', appPath)],
  [
    'clear the identifier of an app',
    400,
    coded('VALIDATION_ERROR', { timestamp: aTime }),
    async () => ['PUT', `/mobile-apps/${(await newApp(project)).id}`, { bundleId: null }],
  ],
])('%s: %i', async (_, status, body, request) => {
  const [method, path, sent] = (await request()) as [string, string, unknown];
  const answer = await project.call(method, path, sent);
  expect([answer.status, answer.body]).toEqual([status, body]);
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
  ['POST', '/links/bulk/status', 'PUT'],
  ['POST', '/links/launch', 'GET, PUT, PATCH, DELETE'],
  ['OPTIONS', '/links/bulk', 'GET, POST, PUT, PATCH, DELETE'],
  ['POST', '/links/check/launch', 'GET'],
  ['DELETE', '/links/check/status', 'GET, PUT'],
  ['OPTIONS', '/usage', 'GET'],
  ['POST', '/openapi.json', 'GET'],
])('%s %s is told the methods there are, without a key', async (method, path, allow) => {
  const body = method === 'OPTIONS' ? undefined : 'no JSON';
  const headers = { 'Content-Type': 'text/plain' };
  const { status, headers: given, body: answer } = await stack.api(method, path, { body, headers });
  expect([status, given.get('allow'), answer]).toEqual([405, allow, coded('METHOD_NOT_ALLOWED')]);
  expect(answer.error.message).toContain(allow);
  expect(given.get('x-ratelimit-limit')).toBe('180000');
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

test('bulk and check are codes of links, too', async () => {
  await newLink(project, { code: 'bulk' });
  await newLink(project, { code: 'check' });
  for (const code of ['bulk', 'check']) {
    expect((await project.call('PUT', `/links/${code}`, { payload })).status).toBe(200);
    expect((await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' })).status).toBe(200);
    expect((await project.call('GET', `/links/${code}`)).body.data.status).toBe('PAUSED');
    expect((await project.call('DELETE', `/links/${code}`)).status).toBe(200);
  }
});

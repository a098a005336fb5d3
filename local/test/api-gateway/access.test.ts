import type { Authorizer } from '../../assembly/assembly.ts';
import { aMethod, type Event, serveApi, stopServers } from './rest-api-server.ts';

afterAll(stopServers);

const allow = (more = {}) => ({
  principalId: 'somebody',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: 'arn:aws:execute-api:*:*:*/prod/*' },
    ],
  },
  ...more,
});
const aPolicy = (Effect: string, Resource: string) => ({
  principalId: 'somebody',
  policyDocument: { Statement: { Action: 'execute-api:*', Effect, Resource } },
});

async function guarded(answer: (event: Event) => unknown, more: Partial<Authorizer> = {}, apiMore = {}) {
  const authorizer: Authorizer = {
    id: 'Auth',
    type: 'REQUEST',
    functionId: 'Auth',
    identitySources: ['method.request.header.X-Key'],
    ttlSeconds: 60,
    ...more,
  };
  const methods = [aMethod('/a/{id}', { authorizerId: 'Auth' }), aMethod('/b', { authorizerId: 'Auth' })];
  return serveApi(
    { methods, authorizers: [authorizer], ...apiMore },
    { Auth: answer, Echo: () => ({ statusCode: 200 }) },
  );
}

const key = (value: string) => ({ headers: { 'x-key': value } });

describe('a request authorizer', () => {
  test('gets the request, also of a path below the stage', async () => {
    const api = await guarded(() => allow());
    await api.send({ path: '/prod/a/1%2F2?q=x', ...key('k') });
    expect(api.events('Auth')[0]).toMatchObject({
      type: 'REQUEST',
      methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/prod/GET/a/1%2F2',
      resource: '/a/{id}',
      path: '/a/1%2F2',
      httpMethod: 'GET',
      queryStringParameters: { q: 'x' },
      pathParameters: { id: '1%2F2' },
      stageVariables: {},
      requestContext: { stage: 'prod', resourcePath: '/a/{id}' },
    });
  });

  test('passes its context on as strings', async () => {
    const api = await guarded(() => allow({ context: { text: 'a', number: 1, flag: true, none: null } }));
    await api.send({ path: '/b', ...key('k') });
    const { authorizer } = api.events('Echo')[0]?.requestContext ?? {};
    expect(authorizer).toEqual({
      text: 'a',
      number: '1',
      flag: 'true',
      principalId: 'somebody',
      integrationLatency: expect.any(Number),
    });
  });

  test('is not called without its identity source', async () => {
    const api = await guarded(() => allow());
    const { status, body } = await api.send({ path: '/b' });
    expect({ status, body }).toEqual({ status: 401, body: '{"message":"Unauthorized"}' });
    expect(api.calls).toEqual([]);
  });

  test('is called even without it when caching is off', async () => {
    const api = await guarded(() => allow(), { ttlSeconds: 0 });
    expect((await api.send({ path: '/b' })).status).toBe(200);
    await api.send({ path: '/b', ...key('k') });
    await api.send({ path: '/b', ...key('k') });
    expect(api.events('Auth')).toHaveLength(3);
  });

  test('is called once per identity, for all paths', async () => {
    const api = await guarded(() => allow());
    for (const path of ['/a/1', '/a/2', '/b']) await api.send({ path, ...key('k') });
    await api.send({ path: '/b', ...key('other') });
    expect(api.events('Auth').map(({ headers }) => headers['x-key'])).toEqual(['k', 'other']);
  });

  test('is called again once its policy has expired', async () => {
    const api = await guarded(() => allow());
    await api.send({ path: '/b', ...key('k') });
    const later = Date.now() + 60_001;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    await api.send({ path: '/b', ...key('k') });
    clock.mockRestore();
    expect(api.events('Auth')).toHaveLength(2);
  });

  test('its cached policy is evaluated again for each path', async () => {
    const api = await guarded(() =>
      aPolicy('Allow', 'arn:aws:execute-api:us-east-1:000000000000:api/prod/GET/b'),
    );
    expect((await api.send({ path: '/b', ...key('k') })).status).toBe(200);
    const { status, body } = await api.send({ path: '/a/1', ...key('k') });
    expect({ status, body }).toEqual({
      status: 403,
      body: '{"Message":"User is not authorized to access this resource"}',
    });
    expect(api.events('Auth')).toHaveLength(1);
  });

  test('can deny explicitly', async () => {
    const api = await guarded(() => aPolicy('Deny', '*'));
    const { status, body } = await api.send({ path: '/b', ...key('k') });
    expect(status).toBe(403);
    expect(body).toBe('{"Message":"User is not authorized to access this resource with an explicit deny"}');
  });
});

test.each([
  ['Unauthorized', 401, '{"message":"Unauthorized"}'],
  ['anything else', 500, '{"message":null}'],
])('an authorizer that throws %s', async (message, status, body) => {
  const api = await guarded(() => {
    throw new Error(message);
  });
  expect(await api.send({ path: '/b', ...key('k') })).toMatchObject({ status, body });
  expect(api.events('Echo')).toEqual([]);
});

test.each([
  ['nothing', null],
  ['no principal', { policyDocument: allow().policyDocument }],
  ['no policy', { principalId: 'x' }],
  ['a nested context', allow({ context: { nested: { a: 1 } } })],
])('an authorizer that returns %s causes status 500', async (_name, result) => {
  const api = await guarded(() => result);
  expect((await api.send({ path: '/b', ...key('k') })).status).toBe(500);
});

test('a method without its authorizer refuses everybody', async () => {
  const api = await serveApi(
    { methods: [aMethod('/x', { authorizerId: 'Gone' })] },
    { Echo: () => ({ statusCode: 200 }) },
  );
  expect((await api.send({ path: '/x' })).status).toBe(502);
  expect(api.calls).toEqual([]);
});

test('a token authorizer gets only the token', async () => {
  const api = await guarded(() => allow(), { type: 'TOKEN', ttlSeconds: 0, validation: '^k' });
  expect((await api.send({ path: '/b' })).status).toBe(401);
  expect((await api.send({ path: '/b', ...key('other') })).status).toBe(401);
  expect((await api.send({ path: '/b', ...key('k1') })).status).toBe(200);
  expect(api.events('Auth')).toEqual([
    {
      type: 'TOKEN',
      authorizationToken: 'k1',
      methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/prod/GET/b',
    },
  ]);
});

describe('a method that needs a key', () => {
  const planKeys = [{ id: 'Key', value: 'plan-key-value' }];
  const forbidden = { status: 403, body: '{"message":"Forbidden"}' };

  test('takes the plan key in x-api-key', async () => {
    const api = await serveApi(
      { methods: [aMethod('/x', { apiKeyRequired: true })], planKeys },
      { Echo: () => ({ statusCode: 200 }) },
    );
    expect(await api.send({ path: '/x' })).toMatchObject(forbidden);
    expect(await api.send({ path: '/x', headers: { 'x-api-key': 'wrong' } })).toMatchObject(forbidden);
    expect((await api.send({ path: '/x', headers: { 'X-Api-Key': 'plan-key-value' } })).status).toBe(200);
    expect(api.events('Echo')[0]?.requestContext.identity).toMatchObject({
      apiKey: 'plan-key-value',
      apiKeyId: 'Key',
    });
  });

  test('takes it from the authorizer if that is the source', async () => {
    const methods = [aMethod('/x', { apiKeyRequired: true, authorizerId: 'Auth' })];
    const more = { methods, planKeys, apiKeySource: 'AUTHORIZER' as const };
    const answer = ({ headers }: Event) => allow({ usageIdentifierKey: headers['x-key'] });
    const api = await guarded(answer, {}, more);
    expect(await api.send({ path: '/x', ...key('wrong') })).toMatchObject(forbidden);
    expect((await api.send({ path: '/x', ...key('plan-key-value') })).status).toBe(200);
    const sneaky = { headers: { 'x-key': 'wrong', 'x-api-key': 'plan-key-value' } };
    expect(await api.send({ path: '/x', ...sneaky })).toMatchObject(forbidden);
  });
});

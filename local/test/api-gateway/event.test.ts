import { type Answering, aMethod, type Event, serveApi, stopServers } from './rest-api-server.ts';

const ok = { statusCode: 200, body: '{}' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
let gateway: Answering;

beforeAll(async () => {
  const methods = [
    aMethod('/{proxy+}', { httpMethod: 'ANY' }),
    aMethod('/hardcoded'),
    aMethod('/things/{id}', { httpMethod: 'ANY' }),
  ];
  gateway = await serveApi({ methods, binaryMediaTypes: ['image/*'] }, { Echo: () => ok });
});
afterAll(stopServers);

async function eventOf(request: Parameters<Answering['send']>[0]): Promise<Event> {
  gateway.calls.length = 0;
  expect((await gateway.send(request)).status).toBe(200);
  const [event] = gateway.events('Echo');
  if (!event) throw new Error('the function was not called');
  return event;
}

test.each([
  ['/things/test%2Balias@gmail.com+x', '/things/{id}', { id: 'test%2Balias@gmail.com+x' }],
  ['/proxy-value/', '/{proxy+}', { proxy: 'proxy-value' }],
  ['/proxy-value//double-slash', '/{proxy+}', { proxy: 'proxy-value//double-slash' }],
])('the path %s stays as it was sent, also in parameters', async (path, resource, pathParameters) => {
  const event = await eventOf({ path });
  expect(event).toMatchObject({ path, resource, pathParameters, requestContext: { path } });
});

test('the path loses a leading double slash, except in the request context', async () => {
  const event = await eventOf({ path: '//hardcoded' });
  expect(event).toMatchObject({
    ...{ path: '/hardcoded', resource: '/hardcoded', pathParameters: null },
    requestContext: { path: '//hardcoded' },
  });
});

describe('below the stage, as at execute-api', () => {
  // Sent, `path`, `requestContext.path`. All but the last two are recorded from AWS.
  test.each([
    ['/prod/proxy-value', '/proxy-value', '/prod/proxy-value'],
    ['/prod/proxy-value/', '/proxy-value/', '/prod/proxy-value/'],
    ['/prod/proxy-value//double-slash', '/proxy-value//double-slash', '/prod/proxy-value//double-slash'],
    ['//prod/proxy-value', '/proxy-value', '/prod/proxy-value'],
    ['/prod//proxy-value', '/proxy-value', '/prod//proxy-value'],
    ['/prod//hardcoded', '/hardcoded', '/prod//hardcoded'],
    ['/prod/a/test%2Balias@gmail.com', '/a/test%2Balias@gmail.com', '/prod/a/test%2Balias@gmail.com'],
    ['/prod/prod/x', '/prod/x', '/prod/prod/x'],
    ['/production', '/production', '/production'],
  ])('%s', async (sent, path, shown) => {
    const event = await eventOf({ path: `${sent}?q=1` });
    expect([event.path, event.requestContext.path]).toEqual([path, shown]);
    expect(event.queryStringParameters).toEqual({ q: '1' });
  });

  test('a resource named like the stage still works at the root', async () => {
    const api = await serveApi({ methods: [aMethod('/prod/{id}')] }, { Echo: () => ok });
    expect((await api.send({ path: '/prod/1' })).status).toBe(200);
    expect((await api.send({ path: '/prod/prod/1' })).status).toBe(200);
    expect(api.events('Echo').map((event) => [event.path, event.requestContext.path])).toEqual([
      ['/prod/1', '/prod/1'],
      ['/prod/1', '/prod/prod/1'],
    ]);
  });
});

describe('the query', () => {
  test('arrives decoded, with plus as a space', async () => {
    const query = 'a=foo%20bar&b=x+y@z&c=x%2By@z&d=https://www.example.com/&e&f%5B%5D=%C3%A4';
    const event = await eventOf({ path: `/q?${query}` });
    expect(event.queryStringParameters).toEqual({
      a: 'foo bar',
      b: 'x y@z',
      c: 'x+y@z',
      d: 'https://www.example.com/',
      e: '',
      'f[]': 'ä',
    });
  });

  test('has the last of repeated values, and all of them as a list', async () => {
    const event = await eventOf({ path: '/q?price=10&price=20&category=books&price=30' });
    expect(event.queryStringParameters).toEqual({ price: '30', category: 'books' });
    expect(event.multiValueQueryStringParameters).toEqual({ price: ['10', '20', '30'], category: ['books'] });
  });

  test('survives undecodable values and hostile names', async () => {
    const event = await eventOf({ path: '/q?a=%E0%A4%A&__proto__=1&constructor=2' });
    const query = Object.entries(event.queryStringParameters ?? {});
    expect(query).toEqual([
      ['a', '%E0%A4%A'],
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

test('absent parts are null', async () => {
  expect(await eventOf({ path: '/hardcoded' })).toMatchObject({
    body: null,
    isBase64Encoded: false,
    pathParameters: null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
  });
});

describe('headers', () => {
  test('keep the case in which they were sent, except a few', async () => {
    const event = await eventOf({
      path: '/hardcoded',
      headers: { 'tEsT-HEADeR': 'aValUE', authorization: 'random-value', 'user-agent': 'tests' },
    });
    expect(event.headers).toMatchObject({
      'tEsT-HEADeR': 'aValUE',
      Authorization: 'random-value',
      'User-Agent': 'tests',
      Host: gateway.server.authority,
    });
    expect(event.multiValueHeaders['tEsT-HEADeR']).toEqual(['aValUE']);
    expect(Object.keys(event.headers).map((name) => name.toLowerCase())).not.toContain('connection');
  });

  test('repeated: the last, and all of them as a list', async () => {
    const event = await eventOf({ path: '/hardcoded', headers: { 'x-many': ['1', '2'], __proto__x: 'y' } });
    expect(event.headers['x-many']).toBe('2');
    expect(event.multiValueHeaders['x-many']).toEqual(['1', '2']);
  });

  test('the gateway adds the source of the request', async () => {
    const { headers } = await eventOf({ path: '/hardcoded', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(headers).toMatchObject({
      'X-Forwarded-For': '203.0.113.9, 127.0.0.1',
      'X-Forwarded-Port': gateway.server.authority.split(':')[1],
      'X-Forwarded-Proto': 'http',
    });
    expect(headers['X-Amzn-Trace-Id']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  });
});

test('the request context has the members of AWS', async () => {
  const event = await eventOf({ path: '/hardcoded', headers: { 'user-agent': 'tests' } });
  const { requestContext: context } = event;
  expect(Object.keys(context).sort()).toEqual(
    [
      'accountId apiId deploymentId domainName domainPrefix extendedRequestId httpMethod identity path',
      'protocol requestId requestTime requestTimeEpoch resourceId resourcePath stage',
    ]
      .join(' ')
      .split(' '),
  );
  expect(context.identity).toEqual({
    accessKey: null,
    accountId: null,
    caller: null,
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
    principalOrgId: null,
    sourceIp: '127.0.0.1',
    user: null,
    userAgent: 'tests',
    userArn: null,
  });
  expect(context).toMatchObject({ protocol: 'HTTP/1.1', stage: 'prod', httpMethod: 'GET' });
  expect(context.requestId).toMatch(uuid);
  expect(context.requestTime).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
});

describe('the body', () => {
  test('is text unless its type is one of the binary media types', async () => {
    const headers = { 'content-type': 'application/json' };
    const event = await eventOf({ method: 'POST', path: '/things/1', headers, body: '{"message":"ä"}' });
    expect(event).toMatchObject({ body: '{"message":"ä"}', isBase64Encoded: false, httpMethod: 'POST' });
  });

  test('is base64 for a binary media type', async () => {
    const body = Buffer.from([0, 255, 1]);
    const headers = { 'content-type': 'image/png; q=1' };
    const event = await eventOf({ method: 'POST', path: '/things/1', headers, body });
    expect(event).toMatchObject({ body: body.toString('base64'), isBase64Encoded: true });
  });
});

test('X-HTTP-Method-Override names the method', async () => {
  const headers = { 'X-HTTP-Method-Override': 'patch' };
  expect((await eventOf({ method: 'POST', path: '/things/1', headers })).httpMethod).toBe('PATCH');
});

test.each([
  [413, '10 MB of body', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1, 'x') }],
  [414, '10,240 bytes of URL', { path: `/things/${'x'.repeat(10_240)}` }],
  [400, '10,240 bytes of headers', { headers: { a: 'x'.repeat(10_240) } }],
])('%i beyond %s', async (status, _, request) => {
  expect((await gateway.send({ path: '/things/1', ...request })).status).toBe(status);
});

import { functionUrlEvent } from '../../function-url/event.ts';
import { readFunctionUrlResult } from '../../function-url/result.ts';
import { aBehavior, serveDistribution, stopDistributions } from '../cloudfront/distribution-server.ts';

afterAll(stopDistributions);

const request = {
  method: 'POST',
  path: '/pa2%Fth/1',
  query: 'q=query&multiQuery=foo&multiQuery=%2Fbar',
  headers: {
    host: 'abc.lambda-url.us-east-1.on.aws',
    'user-agent': 'tests',
    'content-type': 'application/json',
  },
  body: Buffer.from('{"foo":"bar"}'),
  sourceIp: '127.0.0.1',
};

test('the event has format 2.0, its path undecoded', () => {
  expect(functionUrlEvent(request)).toEqual({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/pa2%Fth/1',
    rawQueryString: 'q=query&multiQuery=foo&multiQuery=%2Fbar',
    headers: request.headers,
    queryStringParameters: { q: 'query', multiQuery: 'foo,/bar' },
    requestContext: {
      accountId: 'anonymous',
      apiId: 'abc',
      domainName: 'abc.lambda-url.us-east-1.on.aws',
      domainPrefix: 'abc',
      http: {
        method: 'POST',
        path: '/pa2%Fth/1',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: 'tests',
      },
      requestId: expect.any(String),
      routeKey: '$default',
      stage: '$default',
      time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:/),
      timeEpoch: expect.any(Number),
    },
    body: '{"foo":"bar"}',
    isBase64Encoded: false,
  });
});

test('absent parts are left out', () => {
  const event = functionUrlEvent({ ...request, query: '', body: Buffer.alloc(0) });
  expect(event).toMatchObject({ rawQueryString: '', isBase64Encoded: false });
  for (const name of ['body', 'cookies', 'queryStringParameters']) expect(event).not.toHaveProperty(name);
});

test('cookies are a list', () => {
  const headers = { ...request.headers, cookie: 'a=b; c=d' };
  expect(functionUrlEvent({ ...request, headers }).cookies).toEqual(['a=b', 'c=d']);
});

test.each([
  ['text/plain', false],
  ['application/json; charset=utf-8', false],
  ['application/problem+json', false],
  ['multipart/form-data; boundary=x', true],
  ['application/x-www-form-urlencoded', true],
  ['application/octet-stream', true],
])('a body of %s is base64: %s', (type, isBase64Encoded) => {
  const event = functionUrlEvent({ ...request, headers: { 'content-type': type }, body: Buffer.from('a=b') });
  expect(event).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? 'YT1i' : 'a=b' });
});

test.each([
  ['a text', 'hello', 'hello'],
  ['an object', { hello: 'world' }, '{"hello":"world"}'],
  ['a list', ['hello', 3, true], '["hello",3,true]'],
  ['an integer', 3, '3'],
  ['a float', 3.1, '3.1'],
  ['a boolean', true, 'true'],
  ['a response', { statusCode: 200, body: 'body123' }, 'body123'],
])('%s becomes a JSON response with status 200', (_name, payload, body) => {
  const answer = readFunctionUrlResult({ ok: true, payload });
  expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/json' } });
  expect(String(answer.body)).toBe(body);
});

test('a response has its own headers, cookies and bytes', () => {
  const payload = {
    statusCode: 201,
    headers: { 'Content-Type': 'image/png', 'X-Number': 1 },
    cookies: ['a=b', 'c=d'],
    isBase64Encoded: true,
    body: 'AP8=',
  };
  expect(readFunctionUrlResult({ ok: true, payload })).toEqual({
    statusCode: 201,
    headers: { 'content-type': 'image/png', 'x-number': '1', 'set-cookie': ['a=b', 'c=d'] },
    body: Buffer.from([0, 255]),
  });
});

test.each([
  { ok: false, errorType: 'Error', errorMessage: 'secret' } as const,
  { ok: true, payload: { statusCode: 'x' } } as const,
])('a failing function causes status 502 without details: %p', (result) => {
  const { statusCode, body } = readFunctionUrlResult(result);
  expect({ statusCode, body: String(body) }).toEqual({ statusCode: 502, body: 'Internal Server Error' });
});

test('header names arrive in lower case, repeated headers joined by commas', async () => {
  const everything = { headers: 'all', queryStrings: 'all', cookies: 'all' } as const;
  const edge = await serveDistribution({ behaviors: [aBehavior({ originRequest: everything })] });
  await edge.send({ path: '/', headers: { 'X-Many': ['1', '2'], 'EXTRA-Headers': 'With WeiRd CapS' } });
  expect(edge.event().headers).toMatchObject({ 'x-many': '1,2', 'extra-headers': 'With WeiRd CapS' });
});

import { type Answering, aMethod, serveApi, stopServers } from './rest-api-server.ts';

let result: unknown;
let gateway: Answering;

beforeAll(async () => {
  gateway = await serveApi(
    { methods: [aMethod('/x')], binaryMediaTypes: ['image/png'] },
    {
      Echo: () => {
        if (result instanceof Error) throw result;
        return result;
      },
    },
  );
});
afterAll(stopServers);

const answerTo = (returned: unknown, headers = {}) => {
  result = returned;
  return gateway.send({ path: '/x', headers });
};

test.each([
  ['nothing', null],
  ['an empty object', {}],
  ['a text', 'justAString'],
  ['a list', [{ statusCode: 200 }]],
  ['an unknown member', { statusCode: 200, wrongValue: 'value' }],
  ['cookies, which only HTTP APIs know', { statusCode: 200, cookies: ['a=b'] }],
  ['a status that is not a number', { statusCode: 'test' }],
  ['a status out of range', { statusCode: 99 }],
  ['a header that could start another', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
  ['headers as a list', { statusCode: 200, headers: ['a'] }],
  ['a header that is an object', { statusCode: 200, headers: { a: { b: 1 } } }],
  ['a multi-value header that is no list', { statusCode: 200, multiValueHeaders: { a: 'value1' } }],
  ['a body that is an object', { statusCode: 200, body: { a: 1 } }],
  ['an error', new Error('secret detail')],
])('%s causes status 502', async (_name, returned) => {
  const { status, body } = await answerTo(returned);
  expect({ status, body }).toEqual({ status: 502, body: '{"message":"Internal server error"}' });
});

test('names the kind of refusal', async () => {
  expect((await answerTo({})).headers['x-amzn-errortype']).toBe('InternalServerErrorException');
});

test('accepts only a status: no body, and JSON by default', async () => {
  const { status, body, headers } = await answerTo({ statusCode: 200 });
  expect({ status, body }).toEqual({ status: 200, body: '' });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '0' });
  expect(headers['x-amzn-requestid']).toBeDefined();
  expect(headers['x-amzn-trace-id']).toBeDefined();
});

test('a result with only headers has status 200, and a status may be a string', async () => {
  expect((await answerTo({ headers: { 'test-header': 'value' } })).status).toBe(200);
  expect((await answerTo({ statusCode: '201' })).status).toBe(201);
});

test('turns header values into strings, and leaves out null', async () => {
  const { headers } = await answerTo({ statusCode: 200, headers: { 'header-bool': true, n: 3 } });
  expect(headers).toMatchObject({ 'header-bool': 'true', n: '3' });
  expect((await answerTo({ statusCode: 200, headers: null })).status).toBe(200);
});

test.each(['test-multi', 'tesT-Multi'])('merges headers and multiValueHeaders (%s)', async (name) => {
  const { headers } = await answerTo({
    statusCode: 200,
    multiValueHeaders: { [name]: ['value-multi'] },
    headers: { 'test-multi': 'value-solo' },
  });
  expect(headers['test-multi']).toBe('value-multi, value-solo');
});

test('renames headers that belong to the gateway', async () => {
  const { headers } = await answerTo({
    statusCode: 200,
    headers: { 'WWW-Authenticate': 'x', Date: 'never' },
  });
  expect(headers).toMatchObject({ 'x-amzn-remapped-www-authenticate': 'x', 'x-amzn-remapped-date': 'never' });
  expect(headers['www-authenticate']).toBeUndefined();
});

describe('a base64 body', () => {
  const encoded = { statusCode: 200, isBase64Encoded: true, body: 'dGVzdC1kYXRh' };

  test('is sent as it is unless a binary media type is accepted', async () => {
    expect((await answerTo(encoded)).body).toBe('dGVzdC1kYXRh');
    expect((await answerTo(encoded, { accept: 'text/html, image/png' })).body).toBe('dGVzdC1kYXRh');
  });

  test('is decoded if one is accepted', async () => {
    expect((await answerTo(encoded, { accept: 'image/png, */*' })).body).toBe('test-data');
  });
});

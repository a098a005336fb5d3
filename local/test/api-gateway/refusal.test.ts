import fc from 'fast-check';
import { createRefusals } from '../../api-gateway/gateway-response.ts';
import { aMethod, serveApi, stopServers } from './rest-api-server.ts';

afterAll(stopServers);

const context = {
  requestId: 'id-1',
  extendedRequestId: 'ext-1',
  header: () => 'sent',
  values: { stage: 'prod' },
};

test.each([
  ['GET', '/nowhere'],
  ['POST', '/x'],
  ['HEAD', '/x'],
  ['OPTIONS', '/x'],
])('an unknown route is a missing token: %s %s', async (method, path) => {
  const api = await serveApi({ methods: [aMethod('/x')] }, {});
  const { status, headers, body } = await api.send({ method, path });
  expect(status).toBe(403);
  expect(headers['x-amzn-errortype']).toBe('MissingAuthenticationTokenException');
  expect(body).toBe(method === 'HEAD' ? '' : '{"message":"Missing Authentication Token"}');
});

test('a response of the API replaces status, headers and body', async () => {
  const api = await serveApi(
    {
      gatewayResponses: {
        MISSING_AUTHENTICATION_TOKEN: {
          statusCode: 404,
          headers: { 'X-Limit': "'180000'", 'X-Echo': 'method.request.header.X-Sent' },
          templates: { 'application/json': '{"code":"NOT_FOUND","why":$context.error.messageString}' },
        },
      },
    },
    {},
  );
  const { status, headers, json } = await api.send({ path: '/nowhere', headers: { 'x-sent': 'abc' } });
  expect(status).toBe(404);
  expect(headers).toMatchObject({ 'x-limit': '180000', 'x-echo': 'abc', 'content-type': 'application/json' });
  expect(json).toEqual({ code: 'NOT_FOUND', why: 'Missing Authentication Token' });
});

test('a response of the API replaces that to a body too large for the gateway', async () => {
  const templates = { 'application/json': '"$context.error.responseType"' };
  const api = await serveApi(
    {
      methods: [aMethod('/x', { httpMethod: 'POST' })],
      gatewayResponses: { REQUEST_TOO_LARGE: { statusCode: 400, headers: {}, templates } },
    },
    {},
  );
  const body = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
  expect(await api.send({ method: 'POST', path: '/x', body })).toMatchObject({
    status: 400,
    body: '"REQUEST_TOO_LARGE"',
  });
});

test('DEFAULT_4XX and DEFAULT_5XX replace missing responses, with their statuses', async () => {
  const templates = { 'application/json': '"$context.error.responseType"' };
  const refuse = createRefusals({
    DEFAULT_4XX: { headers: {}, templates },
    DEFAULT_5XX: { statusCode: 500, headers: {}, templates },
  });
  expect(refuse({ type: 'ACCESS_DENIED', message: 'no' }, context)).toMatchObject({
    statusCode: 403,
    body: '"ACCESS_DENIED"',
  });
  expect(refuse({ type: 'INTEGRATION_TIMEOUT', message: 'late' }, context).statusCode).toBe(500);
});

test('a failing function gets the response DEFAULT_5XX', async () => {
  const templates = { 'application/json': '{"coded":$context.error.messageString}' };
  const api = await serveApi({ gatewayResponses: { DEFAULT_5XX: { headers: {}, templates } } }, {});
  expect(await api.send({ path: '/' })).toMatchObject({
    status: 502,
    body: '{"coded":"Internal server error"}',
  });
});

test('no message can break out of the template', () => {
  const template = '{"m":$context.error.messageString,"id":"$context.requestId","s":"$context.stage"}';
  const refuse = createRefusals({
    UNAUTHORIZED: { headers: {}, templates: { 'application/json': template } },
  });
  const hostile = fc.oneof(
    // The unit `binary` takes fast-check a second to prepare.
    fc.string({ unit: fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed()) }),
    fc.constant('$context.requestId","x":"$context.stage'),
  );
  fc.assert(
    fc.property(hostile, (message) => {
      const { body } = refuse({ type: 'UNAUTHORIZED', message }, context);
      expect(JSON.parse(String(body))).toEqual({ m: message, id: 'id-1', s: 'prod' });
    }),
  );
});

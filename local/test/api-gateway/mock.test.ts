import { readMockIntegration } from '../../assembly/mock-integrations.ts';
import { propertiesOf } from '../../assembly/properties.ts';
import { aMethod, serveApi, stopServers } from './rest-api-server.ts';

afterAll(stopServers);

const allow = 'method.response.header.Allow';
const template = {
  Integration: {
    Type: 'MOCK',
    PassthroughBehavior: 'NEVER',
    RequestTemplates: { 'application/json': '{"statusCode": 405}', 'text/plain': '{"statusCode": 204}' },
    IntegrationResponses: [
      { StatusCode: '204', SelectionPattern: '2\\d\\d' },
      {
        StatusCode: '405',
        ResponseParameters: { [allow]: "'GET, POST'" },
        ResponseTemplates: { 'text/html': '<b>#1: 5 $</b>' },
      },
    ],
  },
  MethodResponses: [{ StatusCode: '204' }, { StatusCode: '405', ResponseParameters: { [allow]: true } }],
};

const integrationOf = (more: object = {}, responses: readonly object[] = template.MethodResponses) =>
  readMockIntegration(
    propertiesOf({ Integration: { ...template.Integration, ...more }, MethodResponses: responses }, 'Method'),
    'Method',
  );

const answerTo = async (sent: object, more?: object) => {
  const api = await serveApi(
    { methods: [aMethod('/x', { httpMethod: 'ANY', integration: integrationOf(more) })] },
    {},
  );
  const { status, headers, body } = await api.send({ path: '/x', ...sent });
  return { status, allow: headers.allow, type: headers['content-type'], body };
};
const typed = (type: string) => ({ method: 'POST', headers: { 'content-type': type }, body: 'no JSON' });

test.each([
  ['no media type', { method: 'PUT' }],
  ['a parameter of the media type', typed('Application/JSON; charset=utf-8')],
])('a MOCK integration answers %s by its template', async (_, sent) => {
  expect(await answerTo(sent)).toEqual({
    status: 405,
    allow: 'GET, POST',
    type: 'text/html',
    body: '<b>#1: 5 $</b>',
  });
});

test('a MOCK integration answers HEAD without a body', async () => {
  expect(await answerTo({ method: 'HEAD' })).toMatchObject({ status: 405, allow: 'GET, POST', body: '' });
});

test('a MOCK integration chooses the response by the status in the request template', async () => {
  expect(await answerTo(typed('text/plain'))).toMatchObject({ status: 204, allow: undefined, body: '' });
});

test.each([
  ['refuses', 'NEVER', 415],
  ['refuses', 'WHEN_NO_TEMPLATES', 415],
  ['fails for', 'WHEN_NO_MATCH', 500],
])('a MOCK integration %s a media type without a template, by %s', async (_, PassthroughBehavior, status) => {
  for (const sent of [typed('image/png'), { headers: { 'content-type': 'image/png' } }])
    expect(await answerTo(sent, { PassthroughBehavior })).toMatchObject({ status, type: 'application/json' });
});

const responding = (more: object) => ({ IntegrationResponses: [{ StatusCode: '405', ...more }] });

test.each([
  [
    'an expression in a body',
    responding({ ResponseTemplates: { 'text/html': '$context.requestId' } }),
    /Velocity/,
  ],
  ['an expression in a request', { RequestTemplates: { 'text/html': '#if(true)#end' } }, /Velocity/],
  [
    'a header without quotes',
    responding({ ResponseParameters: { [allow]: 'GET' } }),
    /constants have quotes/,
  ],
  [
    'a header that no method response has',
    responding({ ResponseParameters: { 'method.response.header.A': "'a'" } }),
    /has method.response.header.A/,
  ],
  [
    'a status without a response',
    { IntegrationResponses: [{ StatusCode: '200', SelectionPattern: '200' }] },
    /no integration response for 405/,
  ],
])('a template with %s is refused', (_, more, message) => {
  expect(() => integrationOf(more)).toThrow(message);
});

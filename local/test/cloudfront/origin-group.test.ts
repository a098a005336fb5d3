import fc from 'fast-check';
import { aBehavior, anOrigin, serveDistribution, stopDistributions } from './distribution-server.ts';

afterAll(stopDistributions);

const origins = {
  First: anOrigin({ host: 'first.example', headers: { 'x-own': 'first' } }),
  Second: anOrigin({ functionId: 'Second', host: 'second.example', isElsewhere: true }),
};
const ids = ['First', 'Second'].map((originId) => ({ originId }));
const statusCodes = [403, 500, 502, 503, 504];

const grouping = (argument: unknown, when = 'true') => `import cf from 'cloudfront';
function handler(event) {
  event.request.headers['x-passed'] = { value: event.context.requestId };
  if (${when}) cf.createRequestOriginGroup(${JSON.stringify(argument)});
  return event.request;
}`;

const serve = (
  viewerRequest: string,
  first: Parameters<typeof serveDistribution>[1] = () => 'from the first',
  more: Partial<(typeof origins)['First']> = {},
) =>
  serveDistribution(
    {
      origins: { ...origins, First: { ...origins.First, ...more } },
      behaviors: [
        aBehavior({
          originId: 'First',
          viewerRequest,
          allowedMethods: ['GET', 'HEAD', 'POST'],
          originRequest: { headers: ['X-Passed', 'X-Own'], queryStrings: 'all', cookies: [] },
        }),
      ],
      errorPages: { 502: { statusCode: 503, headers: {}, body: 'try again' } },
    },
    first,
  );

const grouped = grouping({ originIds: ids, failoverCriteria: { statusCodes } });

test('exactly the statuses that are failover criteria reach the second origin', async () => {
  let statusCode = 0;
  const edge = await serve(grouped, () => ({ statusCode, body: 'first' }));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.constantFrom(...statusCodes, 200, 302, 400, 404, 410, 429),
        fc.integer({ min: 200, max: 599 }),
      ),
      fc.constantFrom('GET', 'HEAD'),
      async (status, method) => {
        statusCode = status;
        const asked = edge.events.length;
        // Errors are cached.
        const received = await edge.send({ method, path: `/${asked}` });
        const failsOver = statusCodes.includes(status);
        expect(received.status).toBe(failsOver ? 200 : status === 502 ? 503 : status);
        expect(edge.events.length - asked).toBe(failsOver ? 2 : 1);
      },
    ),
  );
});

test('both requests carry the same headers, besides those of each origin', async () => {
  const edge = await serve(grouped, () => ({ statusCode: 503 }));
  const { body } = await edge.send({ path: '/a?b=c', headers: { 'x-passed': 'forged' } });
  expect(body).toBe('from the second');
  const [first, second] = edge.events;
  expect(first?.headers).toMatchObject({ host: 'first.example', 'x-own': 'first' });
  expect(second?.headers).toMatchObject({ host: 'second.example' });
  expect(second?.headers['x-passed']).toBe(first?.headers['x-amz-cf-id']);
  expect({ ...second?.headers, host: '', 'x-own': '' }).toEqual({ ...first?.headers, host: '', 'x-own': '' });
  expect(second?.rawQueryString).toBe('b=c');
});

test('a request that changes something stays with the first origin', async () => {
  const edge = await serve(grouped, () => ({ statusCode: 503 }));
  expect((await edge.send({ method: 'POST', path: '/', body: 'x' })).status).toBe(503);
  expect(edge.events).toHaveLength(1);
});

test('an origin that takes longer than its time is followed by the second', async () => {
  const late = Promise.withResolvers();
  const edge = await serve(grouped, () => late.promise, { readTimeoutSeconds: 0.01 });
  const { body } = await edge.send({ path: '/' });
  late.resolve('late');
  expect(body).toBe('from the second');
});

test.each([
  ['before', 1],
  ['after', 2],
  ['soon', 1],
])('x-sim-origin-failure: %s', async (failure, calls) => {
  const edge = await serve(grouped);
  const { body } = await edge.send({ path: '/', headers: { 'x-sim-origin-failure': failure } });
  expect(body).toBe(failure === 'soon' ? 'from the first' : 'from the second');
  expect(edge.events).toHaveLength(calls);
  expect(edge.event().headers['x-sim-origin-failure']).toBeUndefined();
});

test.each(['before', 'after'])(
  'a failure %s the work of an only origin shows the error page',
  async (failure) => {
    const edge = await serve(grouping({}, 'false'));
    const { status, body } = await edge.send({ path: '/', headers: { 'x-sim-origin-failure': failure } });
    expect({ status, body }).toEqual(
      failure === 'before'
        ? { status: 503, body: 'try again' }
        : { status: 504, body: 'Error from cloudfront' },
    );
  },
);

test('no failure is played without a second region', async () => {
  const edge = await serveDistribution({});
  const { body } = await edge.send({ path: '/', headers: { 'x-sim-origin-failure': 'before' } });
  expect(body).toBe('ok');
});

test.each([
  [{ originIds: ids.slice(1), failoverCriteria: { statusCodes } }],
  [{ originIds: [...ids, ids[0]], failoverCriteria: { statusCodes } }],
  [{ originIds: ['First', 'Second'], failoverCriteria: { statusCodes } }],
  [{ originIds: [ids[0], { originId: 'Third' }], failoverCriteria: { statusCodes } }],
  [{ originIds: ids, failoverCriteria: { statusCodes: [429] } }],
  [{ originIds: ids, failoverCriteria: {} }],
  [{ originIds: ids, failoverCriteria: { statusCodes }, selectionCriteria: 'media-quality-score' }],
  [{ originIds: [ids[0], { ...ids[1], originOverrides: {} }], failoverCriteria: { statusCodes } }],
])('a wrong group fails the function: %j', async (argument) => {
  const edge = await serve(grouping(argument));
  expect((await edge.send({ path: '/' })).headers['x-cache']).toBe('FunctionExecutionError from cloudfront');
  expect(edge.logged.join()).toContain('createRequestOriginGroup');
});

test("the helpers' import must be the first line", async () => {
  await expect(serve(`\n${grouped}`)).rejects.toThrow(SyntaxError);
  await expect(serve(`const a = 1;\n${grouped}`)).rejects.toThrow(SyntaxError);
  const edge = await serve(
    'function handler(event) { cf.createRequestOriginGroup({}); return event.request; }',
  );
  expect((await edge.send({ path: '/' })).status).toBe(503);
});

test('requests that overlap keep their own groups', async () => {
  const source = grouping(
    { originIds: ids.toReversed(), failoverCriteria: { statusCodes } },
    'second',
  ).replace(
    'function handler(event) {',
    `async function handler(event) {
  const second = event.request.uri === '/second';
  for (let i = 0; i < 10; i += 1) await i;`,
  );
  const edge = await serve(source);
  const paths = Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? '/second' : '/first'));
  const bodies = await Promise.all(paths.map(async (path) => (await edge.send({ path })).body));
  expect(bodies).toEqual(paths.map((path) => `from the ${path.slice(1)}`));
});

import { compilePathPattern } from '../../cloudfront/path-pattern.ts';
import { aBehavior, anOrigin, serveDistribution, stopDistributions } from './distribution-server.ts';

afterAll(stopDistributions);

test.each([
  ['*', '/anything/at/all', true],
  ['*.png', '/a/b/qr.png', true],
  ['*.png', '/a.png/b', false],
  ['*.png', '/a/qr%2Epn%67', true],
  ['*.png', '/a/qr%2epng%2F', false],
  ['/*/qr.*', '/code/qr.svg', true],
  ['images/*', '/images/a', true],
  ['/images/*', '/images/a', true],
  ['/Images/*', '/images/a', false],
  ['/a?c', '/abc', true],
  ['/a?c', '/ac', false],
  ['/a.c', '/abc', false],
  ['/(x)+', '/(x)+', true],
])('pattern %s on %s: %s', (pattern, path, expected) => {
  expect(compilePathPattern(pattern)(path)).toBe(expected);
});

test('the first behaviour whose pattern fits handles the request', async () => {
  const behaviors = [aBehavior({ pathPattern: '*.png', originId: 'Images' }), aBehavior()];
  const origins = { Origin: anOrigin(), Images: anOrigin({ host: 'images.example' }) };
  const edge = await serveDistribution({ origins, behaviors });
  await edge.send({ path: '/x/qr.png?size=1' });
  expect(edge.event().requestContext.domainName).toBe('images.example');
  await edge.send({ path: '/x/qr' });
  expect(edge.event().requestContext.domainName).toBe('origin.lambda-url.us-east-1.on.aws');
});

test.each([
  ...['POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method })),
  { method: 'GET', body: 'x' },
])('%j is refused unless allowed', async (request) => {
  const edge = await serveDistribution({});
  const { status, headers } = await edge.send({ path: '/', ...request });
  expect(status).toBe(403);
  expect(headers['x-cache']).toBe('Error from cloudfront');
  expect(edge.events).toEqual([]);
});

test('HEAD reaches the origin as HEAD, and the response has no body', async () => {
  const edge = await serveDistribution({}, () => ({ statusCode: 200, body: 'four' }));
  const { status, body, headers } = await edge.send({ method: 'HEAD', path: '/' });
  expect({ status, body }).toEqual({ status: 200, body: '' });
  expect(headers['content-length']).toBe('4');
  expect(edge.event().requestContext.http.method).toBe('HEAD');
});

describe('a viewer-request function', () => {
  const withFunction = (source: string, headers: string[] = []) =>
    serveDistribution({
      behaviors: [
        aBehavior({
          viewerRequest: source,
          originRequest: { headers, queryStrings: 'all', cookies: 'all' },
        }),
      ],
    });

  test('passes its changes on', async () => {
    const edge = await withFunction(
      `function handler(event) {
        var request = event.request;
        request.headers['x-viewer-host'] = { value: request.headers.host.value };
        request.uri = '/changed' + request.uri;
        return request;
      }`,
      ['X-Viewer-Host'],
    );
    await edge.send({ path: '/a%20b?x=%2B&y', headers: { host: 'go.example', cookie: 'a=b; c=d' } });
    expect(edge.event()).toMatchObject({
      rawPath: '/changed/a%20b',
      rawQueryString: 'x=%2B&y',
      cookies: ['a=b', 'c=d'],
    });
    expect(edge.event().headers['x-viewer-host']).toBe('go.example');
  });

  test('cannot add headers that the policies leave out', async () => {
    const source = 'function handler(e) { e.request.headers.secret = { value: "x" }; return e.request; }';
    const edge = await withFunction(source);
    await edge.send({ path: '/' });
    expect(edge.event().headers.secret).toBeUndefined();
  });

  test('cannot forge headers of CloudFront', async () => {
    const source =
      'function handler(e) { e.request.headers["cloudfront-viewer-country"] = { value: "XX" }; return e.request; }';
    const edge = await withFunction(source, ['CloudFront-Viewer-Country']);
    await edge.send({ path: '/', headers: { 'x-sim-viewer-country': 'DE' } });
    expect(edge.event().headers['cloudfront-viewer-country']).toBe('DE');
  });

  test('sees the viewer, and only those headers of CloudFront that the policies list', async () => {
    const source = `async function handler(event) {
      return { statusCode: 200, body: JSON.stringify(event) };
    }`;
    const edge = await withFunction(source, ['CloudFront-Viewer-Country']);
    const headers = {
      host: 'go.example',
      'x-sim-viewer-country': 'DE',
      'X-Sim-Viewer-Address': '2001:db8::1',
    };
    const { json } = await edge.send({ path: '/p?a=1&a=2', headers });
    expect(json).toMatchObject({
      version: '1.0',
      context: { eventType: 'viewer-request', distributionId: 'Distribution' },
      viewer: { ip: '2001:db8::1' },
      request: {
        method: 'GET',
        uri: '/p',
        querystring: { a: { value: '1', multiValue: [{ value: '1' }, { value: '2' }] } },
        headers: { host: { value: 'go.example' }, 'cloudfront-viewer-country': { value: 'DE' } },
        cookies: {},
      },
    });
  });

  test('handles hostile names in a query', async () => {
    const edge = await withFunction('function handler(event) { return event.request; }');
    const query = 'constructor=1&constructor=2&__proto__=3&toString';
    await edge.send({ path: `/?${query}` });
    expect(edge.event().rawQueryString).toBe(query);
    expect(Object).not.toHaveProperty('multiValue');
  });

  test('can respond itself', async () => {
    const edge = await withFunction(`function handler() {
      return { statusCode: 302, headers: { location: { value: 'https://example.com/' } } };
    }`);
    const { status, headers } = await edge.send({ path: '/' });
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      location: 'https://example.com/',
      'x-cache': 'FunctionGeneratedResponse from cloudfront',
    });
    expect(edge.events).toEqual([]);
  });

  test('cannot reach globals of Node', async () => {
    const names = ['require', 'module', 'exports', 'process', 'fetch', 'setTimeout', 'Buffer'];
    const source = `function handler() {
      return { statusCode: 200, body: [${names.map((name) => `typeof ${name}`)}].join() };
    }`;
    const edge = await withFunction(source);
    expect((await edge.send({ path: '/' })).body).toBe(names.map(() => 'undefined').join());
  });

  test('that throws causes status 503 and a line in the log', async () => {
    const edge = await withFunction('function handler() { throw new Error("broken rule"); }');
    const { status, body } = await edge.send({ path: '/' });
    expect(status).toBe(503);
    expect(body).not.toContain('broken rule');
    expect(edge.logged.join()).toContain('broken rule');
  });

  test('without a handler is refused at the start', async () => {
    await expect(withFunction('exports.handler = 1;')).rejects.toThrow();
    await expect(withFunction('var handler = 1;')).rejects.toThrow(/handler/);
  });
});

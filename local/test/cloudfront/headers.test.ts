import { aBehavior, serveDistribution, stopDistributions } from './distribution-server.ts';

afterAll(stopDistributions);

const everything = aBehavior({ originRequest: { headers: 'all', queryStrings: 'all', cookies: 'all' } });
const listing = (...headers: string[]) =>
  aBehavior({ originRequest: { headers, queryStrings: [], cookies: [] } });

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

test('a viewer cannot forge headers of CloudFront', async () => {
  const edge = await serveDistribution({ behaviors: [everything] });
  const { headers } = await edge.send({
    path: '/',
    headers: {
      'CloudFront-Viewer-Country': 'US',
      'cloudfront-viewer-address': '198.51.100.1:1',
      'CLOUDFRONT-Is-Android-Viewer': 'true',
      'CloudFront-Made-Up': 'x',
      'X-Amz-Cf-Id': 'forged',
      'X-Edge-Anything': 'x',
      'X-Other': 'kept',
    },
  });
  const seen = edge.event().headers;
  expect(seen['cloudfront-viewer-country']).toBeUndefined();
  expect(seen['cloudfront-viewer-address']).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(seen).toMatchObject({ 'cloudfront-is-android-viewer': 'false', 'x-other': 'kept' });
  expect(Object.keys(seen)).not.toContain('cloudfront-made-up');
  expect(Object.keys(seen)).not.toContain('x-edge-anything');
  expect(seen['x-amz-cf-id']).toMatch(/^[A-Za-z0-9_-]{54}==$/);
  expect(headers['x-amz-cf-id']).toBe(seen['x-amz-cf-id']);
});

test.each([
  ['203.0.113.7', /^203\.0\.113\.7:\d+$/],
  ['2001:db8::1', /^2001:db8::1:\d+$/],
])(
  'a simulated viewer comes from %s, and the headers that simulate it stop at the edge',
  async (address, expected) => {
    const edge = await serveDistribution({ behaviors: [everything] });
    await edge.send({
      path: '/',
      headers: { 'x-sim-viewer-country': 'DE', 'X-Sim-Viewer-Address': address, 'x-sim-anything': 'x' },
    });
    const seen = edge.event().headers;
    expect(seen['cloudfront-viewer-country']).toBe('DE');
    expect(seen['cloudfront-viewer-address']).toMatch(expected);
    expect(seen['x-forwarded-for']).toBe(address);
    expect(Object.keys(seen).filter((name) => name.startsWith('x-sim-'))).toEqual([]);
  },
);

test('an invalid simulated address gives the address of the socket', async () => {
  const edge = await serveDistribution({ behaviors: [everything] });
  await edge.send({ path: '/', headers: { 'x-sim-viewer-address': 'nowhere:1' } });
  expect(edge.event().headers['cloudfront-viewer-address']).toMatch(/^127\.0\.0\.1:\d+$/);
});

test('a response header that cannot be sent causes status 502', async () => {
  const edge = await serveDistribution({}, () => ({ statusCode: 200, headers: { location: 'a\r\nb: c' } }));
  expect((await edge.send({ path: '/' })).status).toBe(502);
});

test('two requests never share an id', async () => {
  const edge = await serveDistribution({});
  const [one, other] = [await edge.send({ path: '/' }), await edge.send({ path: '/' })];
  expect(one.headers['x-amz-cf-id']).not.toBe(other.headers['x-amz-cf-id']);
});

test('only listed headers reach the origin, with its own host', async () => {
  const edge = await serveDistribution({ behaviors: [listing('X-Wanted', 'CloudFront-Is-IOS-Viewer')] });
  const headers = { 'x-wanted': 'a', 'x-other': 'b', 'user-agent': iphone, cookie: 'a=b', referer: 'x' };
  await edge.send({ path: '/', headers });
  const seen = edge.event().headers;
  const passed = 'cloudfront-is-ios-viewer host user-agent via x-amz-cf-id x-forwarded-for x-wanted';
  expect(Object.keys(seen).sort()).toEqual(passed.split(' '));
  expect(seen).toMatchObject({
    'x-wanted': 'a',
    'user-agent': 'Amazon CloudFront',
    'cloudfront-is-ios-viewer': 'true',
    host: 'origin.lambda-url.us-east-1.on.aws',
  });
  expect(edge.event().cookies).toBeUndefined();
});

test('X-Forwarded-For gets another address', async () => {
  const edge = await serveDistribution({});
  await edge.send({ path: '/', headers: { 'x-forwarded-for': '198.51.100.1' } });
  expect(edge.event().headers['x-forwarded-for']).toBe('198.51.100.1, 127.0.0.1');
});

test.each([
  [iphone, 'ios mobile'],
  ['Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X)', 'ios tablet'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10) Chrome/140 Mobile Safari/537.36', 'android mobile'],
  ['Mozilla/5.0 (Linux; Android 16; SM-X710) Chrome/140 Safari/537.36', 'android tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140', 'desktop'],
  ['', 'desktop'],
])('%s is %s', async (agent, expected) => {
  const kinds = ['android', 'desktop', 'ios', 'mobile', 'smarttv', 'tablet'];
  const edge = await serveDistribution({
    behaviors: [listing(...kinds.map((kind) => `CloudFront-Is-${kind}-Viewer`))],
  });
  await edge.send({ path: '/', headers: { 'user-agent': agent } });
  const { headers } = edge.event();
  expect(kinds.filter((kind) => headers[`cloudfront-is-${kind}-viewer`] === 'true').join(' ')).toBe(
    expected.split(' ').sort().join(' '),
  );
});

test('the query and cookies are forwarded by name, as sent', async () => {
  const originRequest = { headers: [], queryStrings: ['b', 'c'], cookies: ['keep'] };
  const edge = await serveDistribution({ behaviors: [aBehavior({ originRequest })] });
  await edge.send({ path: '/x?a=1&b=%2B+&c&b=2', headers: { cookie: 'drop=1; keep=2' } });
  expect(edge.event()).toMatchObject({ rawQueryString: 'b=%2B+&c&b=2', cookies: ['keep=2'] });
});

test('a distribution adds, replaces and removes response headers', async () => {
  const responseHeaders = [
    { name: 'x-frame-options', value: 'DENY', override: true },
    { name: 'x-soft', value: 'edge', override: false },
    { name: 'x-new', value: 'edge', override: false },
  ];
  const edge = await serveDistribution(
    { behaviors: [aBehavior({ responseHeaders, removedHeaders: ['server'] })] },
    () => ({ statusCode: 200, headers: { 'X-Frame-Options': 'a', 'X-Soft': 'origin', Server: 'x' } }),
  );
  const { headers } = await edge.send({ path: '/' });
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-soft': 'origin', 'x-new': 'edge' });
  expect(headers.server).toBeUndefined();
});

test('the response of a function gets none of them: AWS promises them for origin and cache only', async () => {
  const responseHeaders = [{ name: 'x-new', value: 'edge', override: true }];
  const viewerRequest = 'function handler() { return { statusCode: 204, headers: {} }; }';
  const edge = await serveDistribution({ behaviors: [aBehavior({ responseHeaders, viewerRequest })] });
  const { status, headers } = await edge.send({ path: '/' });
  expect([status, headers['x-new']]).toEqual([204, undefined]);
});

import { type Cacheable, createCache, ttlOf } from '../../cloudfront/cache.ts';
import { aBehavior, cachingDisabled, serveDistribution, stopDistributions } from './distribution-server.ts';

afterAll(stopDistributions);

const optimized = { ...cachingDisabled, minTtl: 1, defaultTtl: 86_400, maxTtl: 31_536_000 };
const answer = (statusCode: number, cacheControl?: string): Cacheable => ({
  statusCode,
  headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl },
  body: Buffer.alloc(0),
});

test.each([
  [200, undefined, optimized, 86_400],
  [200, 'max-age=60', optimized, 60],
  [200, 'public, max-age=60, s-maxage=600', optimized, 600],
  [200, 'max-age=99999999', optimized, 31_536_000],
  [200, 'no-store', optimized, 1],
  [302, 'private, no-store', { ...optimized, minTtl: 0 }, 0],
  [200, 'max-age=600', cachingDisabled, 0],
  [404, undefined, cachingDisabled, 10],
  [404, 'no-store', cachingDisabled, 10],
  [502, 'max-age=60', cachingDisabled, 60],
  [403, undefined, cachingDisabled, 0],
  [403, 'max-age=5', cachingDisabled, 10],
  [418, 'max-age=60', optimized, 0],
])('%i with %s is cached as long as the policy says (%#)', (status, control, policy, seconds) => {
  expect(ttlOf(answer(status, control), policy, {})).toBe(seconds);
});

test('an object expires after its time', () => {
  let now = 0;
  const cache = createCache(() => now);
  cache.keep('key', answer(200), 10);
  now = 9_999;
  expect(cache.find('key')).toBeDefined();
  now = 10_000;
  expect(cache.find('key')).toBeUndefined();
});

test('an error stays cached after the origin has recovered, even if caching is disabled', async () => {
  let status = 404;
  const edge = await serveDistribution({}, () => ({ statusCode: status, body: String(status) }));
  expect((await edge.send({ path: '/link' })).status).toBe(404);
  status = 200;
  const { headers, ...again } = await edge.send({ path: '/link?x=1' });
  expect(again.status).toBe(404);
  expect(headers['x-cache']).toBe('Error from cloudfront');
  expect((await edge.send({ path: '/other' })).status).toBe(200);
});

test('with an error minimum of 0 the recovered origin responds at once', async () => {
  let status = 404;
  const edge = await serveDistribution({ errorTtls: { 404: 0 } }, () => ({ statusCode: status }));
  await edge.send({ path: '/link' });
  status = 302;
  expect((await edge.send({ path: '/link' })).status).toBe(302);
});

test("an origin's error becomes the distribution's own page, and others stay as they are", async () => {
  let status = 502;
  const page = {
    statusCode: 503,
    headers: { 'content-type': 'text/html', 'retry-after': '3' },
    body: 'Again',
  };
  const edge = await serveDistribution(
    { errorPages: { 502: page, 504: page }, errorTtls: { 502: 0, 503: 0 } },
    () => ({
      statusCode: status,
    }),
  );
  expect(await edge.send({ path: '/link' })).toMatchObject({
    status: 503,
    headers: { 'content-type': 'text/html', 'retry-after': '3', 'x-cache': 'Error from cloudfront' },
    body: 'Again',
  });
  status = 503;
  expect((await edge.send({ path: '/link' })).body).toBe('');
  status = 200;
  expect((await edge.send({ path: '/link' })).status).toBe(200);
});

describe('a caching behaviour', () => {
  const cache = { ...optimized, queryStrings: ['size'], headers: ['Accept-Language'], cookies: ['c'] };
  const serve = () => serveDistribution({ behaviors: [aBehavior({ cache })] }, () => 'ok');

  test('asks the origin once for requests with one cache key', async () => {
    const edge = await serve();
    expect((await edge.send({ path: '/a?size=1&x=1' })).headers['x-cache']).toBe('Miss from cloudfront');
    const { headers, body } = await edge.send({ path: '/a?size=1&x=2' });
    expect(headers).toMatchObject({ 'x-cache': 'Hit from cloudfront', age: '0' });
    expect(body).toBe('ok');
    expect(edge.event().rawQueryString).toBe('size=1');
    expect(edge.events).toHaveLength(1);
  });

  test('asks again for another path, query, header or cookie of the key', async () => {
    const edge = await serve();
    for (const path of ['/a', '/b', '/a?size=1']) await edge.send({ path });
    await edge.send({ path: '/a', headers: { 'accept-language': 'de' } });
    await edge.send({ path: '/a', headers: { cookie: 'c=1' } });
    expect(edge.events).toHaveLength(5);
  });

  test('serves HEAD from a cached GET, but not GET from a cached HEAD', async () => {
    const edge = await serve();
    await edge.send({ method: 'HEAD', path: '/a' });
    expect((await edge.send({ path: '/a' })).body).toBe('ok');
    expect((await edge.send({ method: 'HEAD', path: '/a' })).headers['x-cache']).toBe('Hit from cloudfront');
    expect(edge.events).toHaveLength(2);
  });
});

import { unique } from '../support/builders.ts';
import { eventually } from '../support/local-stack.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

const destination = 'https://shop.example.com/landing';

const publish = async (payload: object = {}) => {
  const { status, body } = await stack.api('POST', '/links', {
    body: { code: unique('code'), payload: { link: destination, ...payload } },
  });
  expect(status).toBe(201);
  return body.data as { code: string; shortUrl: string };
};

const answerOf = async (path: string, headers = {}, method = 'GET') => {
  const { status, headers: got, text } = await stack.visit(path, headers, method);
  return { status, cache: got.get('cache-control'), type: got.get('content-type'), text };
};

describe('link.json', () => {
  test('is the same at both forms of a short URL', async () => {
    const { code, shortUrl } = await publish({ ios: { bundleId: 'com.example.shop' } });
    const own = await answerOf(`/${code}/link.json?ref=a`);
    expect(own).toMatchObject({ status: 200, cache: 'private, no-store', type: 'application/json' });
    expect(JSON.parse(own.text)).toEqual({
      code,
      shortUrl,
      link: `${destination}?ref=a`,
      campaign: null,
      android: null,
      ios: { bundleId: 'com.example.shop', appStoreId: null, minVersion: null },
      data: null,
      expiresAt: null,
    });
    expect(await answerOf(`/demo/${code}/link.json?ref=a`)).toEqual(own);
  });
});

describe('open.json', () => {
  const figures = async (query: string) =>
    (await stack.api('GET', `/analytics?${query}event=opens`)).body.data;

  test('counts each open once, in the figures of the link and of the project', async () => {
    const { code, shortUrl } = await publish();
    const before = await figures('');
    const app = { 'User-Agent': 'Shop/3 CFNetwork/3826 Darwin/25.0.0' };
    for (const [query, headers, status] of [
      ['platform=ios&first=true', app, 200],
      ['platform=ios', app, 200],
      ['platform=android&first=yes', app, 200],
      ['platform=ios', { 'User-Agent': 'Googlebot/2.1' }, 200],
      ['platform=windows', app, 400],
    ] as const) {
      const answer = await answerOf(`/${code}/open.json?${query}`, headers);
      expect([query, answer.status, answer.cache]).toEqual([query, status, 'private, no-store']);
      if (status === 200) expect(JSON.parse(answer.text)).toMatchObject({ shortUrl, link: destination });
    }
    expect((await answerOf(`/${code}/open.json?platform=ios`, app, 'HEAD')).status).toBe(200);
    const counted = await eventually(
      () => figures(`code=${code}&`),
      ({ opens }) => opens >= 3,
    );
    expect(counted).toEqual({ opens: 3, firstOpens: 1 });
    expect(await figures('')).toEqual({ opens: before.opens + 3, firstOpens: before.firstOpens + 1 });
    const { clickCount } = (await stack.api('GET', `/links/${code}`)).body.data;
    expect(clickCount).toBe(0);
  });
});

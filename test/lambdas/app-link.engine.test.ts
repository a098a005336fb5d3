import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { newMobileApp } from '../../core/apps/mobile-app.ts';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { openStores } from '../../core/stores.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { appLink } from '../../lambdas/short-urls/app-link.ts';
import { unique } from '../support/builders.ts';
import { fileTable, tableName } from '../support/engine.ts';
import { type Visit, visitBy } from '../support/function-calls.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { ofFile } from '../support/of-file.ts';
import { publisher } from '../support/published-links.ts';

const table = fileTable();
const stores = ofFile(() => openStores(table.table));
const publish = publisher(stores);
let handler: ReturnType<typeof appLink>;

beforeAll(async () => {
  const lean = openLeanTable(table.endpoint);
  handler = appLink({
    stores: { shortLinks: shortLinkStore(visitorReads(lean)), clicks: clickStore(lean) },
    visitorSecret: 'secret',
    enqueueClick: () => Promise.reject(new Error('There is no queue')),
  });
});

const destination = 'https://example.com/landing';
const sharedHost = 'd111111abcdef8.cloudfront.net';

/** An app's request. */
const ask = async (path: string, { headers, ...visit }: Visit = {}) => {
  const answer = await visitBy(handler, path, {
    ...visit,
    headers: { 'user-agent': 'okhttp/4.12.0', ...headers },
  });
  return { ...answer, json: JSON.parse(answer.body ?? '') };
};
const on = (host: string) => ({ headers: { 'x-forwarded-host': host } });

describe('link.json', () => {
  test('describes the link with the current settings of saved apps, and is not cached', async () => {
    const { path, code, project } = await publish(
      {
        campaign: { utm_source: 'mail' },
        android: { package: 'com.example.shop', min_version: '30' },
        iosAppId: 'app-1',
        desktop_fallback: 'https://example.com/desktop',
      },
      { expiresAt: '2099-01-01T00:00:00.000Z' },
    );
    const app = { name: 'Shop', platform: 'IOS', bundleId: 'com.example.saved' } as const;
    await stores.apps.create(project, newMobileApp('app-1', app, new Date()));
    const { statusCode, headers, json } = await ask(`${path}/link.json`, { query: 'ref=a&qr&d=1' });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
    });
    expect(json).toEqual({
      code,
      shortUrl: `https://${sharedHost}/${project}/${code}`,
      link: `${destination}?utm_source=mail&ref=a`,
      campaign: { utm_source: 'mail' },
      android: { package: 'com.example.shop', minVersion: '30' },
      ios: { bundleId: 'com.example.saved', appStoreId: null, minVersion: null },
      data: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  test("shows the project's current short URL, at each form of the short URL", async () => {
    const { path, code, project } = await publish();
    const host = `${unique('go')}.example`;
    await stores.domains.assign({ host, project });
    const shortUrl = `https://${host}/${code}`;
    expect((await ask(`/${code}/link.json`, on(host))).json.shortUrl).toBe(shortUrl);
    expect((await ask(`${path}/link.json`, on(host))).json.shortUrl).toBe(shortUrl);
    expect((await ask(`${path}/link.json`)).json.shortUrl).toBe(shortUrl);
    expect((await ask(`/${code}/link.json`)).statusCode).toBe(404);
  });
});

describe('open.json', () => {
  test('describes the same, without its own parameters, which link.json passes on', async () => {
    const { path } = await publish();
    const query = `a=1&platform=ios&%66irst=true&qr&first=no&open%49d=${unique('opening-of-an-app')}`;
    const { statusCode, json } = await ask(`${path}/open.json`, { query });
    expect([statusCode, json]).toEqual([200, (await ask(`${path}/link.json`, { query: 'a=1' })).json]);
    const plain = await ask(`${path}/link.json`, { query: 'platform=ios&first=true&openId=any' });
    expect(plain.json.link).toBe(`${destination}?platform=ios&first=true&openId=any`);
  });

  test.each([
    ['platform', ''],
    ...['', '=', '=web', '=iOS', '=ios&platform=android'].map((rest) => ['platform', `platform${rest}`]),
    ['platform', 'Platform=ios'],
    ...['', '15-letters-here', 'a'.repeat(65), 'a-dot.is-too-much', 'a-right-opening-id%0a'].map((id) => [
      'openId',
      `platform=ios&openId=${id}`,
    ]),
    ['openId', 'platform=ios&openId=a-right-opening-id&openId=a-right-opening-id'],
  ])('names %s when it refuses %j', async (name, query) => {
    const { path } = await publish();
    const { statusCode, json, headers } = await ask(`${path}/open.json`, { query });
    expect([statusCode, json]).toEqual([400, { error: expect.stringContaining(name) }]);
    expect(headers?.['Cache-Control']).toBe('private, no-store');
  });
});

type Place = { readonly project: string; readonly code: string };

const itemsOf = async ({ project, code }: Place) => {
  const { Items = [] } = await table.client.send(
    new ScanCommand({
      TableName: tableName,
      FilterExpression: 'begins_with(PK, :visitors)',
      ExpressionAttributeValues: { ':visitors': `VISITOR#${project}#${code}#` },
    }),
  );
  return Items;
};
/** Sums over the items of a link's visitors. */
const opensOf = async (link: Place) => {
  const items = await itemsOf(link);
  const sum = (name: string) => items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  return { opens: sum('opens'), firstOpens: sum('firstOpens'), clicks: sum('hits') };
};

describe('an app open', () => {
  test('is counted, first opens separately, and never as a click', async () => {
    const link = await publish();
    for (const query of ['ios', 'android&first=true', 'android&first=1', 'android&first=true&first=false'])
      await ask(`${link.path}/open.json`, { query: `platform=${query}` });
    expect(await opensOf(link)).toEqual({ opens: 4, firstOpens: 1, clicks: 0 });
  });

  test('is counted once for repeated requests', async () => {
    const { path, ...link } = await publish();
    const again = { query: 'platform=ios&first=true', headers: { 'x-amz-cf-id': unique('same') } };
    await ask(`${path}/open.json`, again);
    await Promise.all([ask(`${path}/open.json`, again), ask(`${path}/open.json`, again)]);
    expect(await opensOf(link)).toEqual({ opens: 1, firstOpens: 1, clicks: 0 });
  });

  test('is counted once for all tries of one visit, which have different request ids', async () => {
    const { path, ...link } = await publish();
    const visit = { query: 'platform=ios', headers: { 'x-visit-id': unique('visit') } };
    for (let i = 0; i < 2; i += 1) await ask(`${path}/open.json`, visit);
    expect(await opensOf(link)).toMatchObject({ opens: 1 });
  });

  test('with an ID is counted once on each link, however it is repeated, and leaves neither ID nor address', async () => {
    const [link, other] = [await publish(), await publish()];
    const openId = unique('opening-of-an-app');
    const request = (where: typeof link, rest: Visit & { first?: boolean; from?: string } = {}) => {
      const { first = false, from = '198.51.100.7' } = rest;
      const query = `platform=ios&first=${first}&openId=${openId}`;
      const headers = { 'cloudfront-viewer-address': `${from}:4711`, ...rest.headers };
      return ask(`${where.path}/open.json`, { ...rest, query, headers });
    };
    const start = Date.now();
    const days = (count: number) => new Date(start + count * 86_400_000);
    await request(link, { method: 'HEAD' });
    await request(link, { headers: { 'sec-purpose': 'prefetch' } });
    await request(link, { headers: { 'user-agent': 'Twitterbot/1.0' } });
    const counted = await request(link, { first: true, now: days(0) });
    const repeats = Array.from({ length: 8 }, (_, i) =>
      request(link, { from: `203.0.113.${i}`, now: days(i * 0.99) }),
    );
    const plain = await ask(`${link.path}/link.json`);
    for (const { json } of [counted, ...(await Promise.all(repeats))]) expect(json).toEqual(plain.json);
    await request(other);
    expect(await opensOf(link)).toEqual({ opens: 1, firstOpens: 1, clicks: 0 });
    expect(await opensOf(other)).toEqual({ opens: 1, firstOpens: 0, clicks: 0 });
    await ask(`${link.path}/open.json`, { query: 'platform=ios' });
    expect((await opensOf(link)).opens).toBe(2);
    const items = await itemsOf(link);
    const hash = createHash('sha256').update(openId).digest('base64url').slice(0, 11);
    const sent = [openId, '198.51.100', '203.0.113', hash];
    expect(sent.filter((text) => JSON.stringify(items).includes(text))).toEqual([]);
    const ttls = items.map(({ ttl }) => Math.round((Number(ttl) - start / 1000) / 86_400));
    expect(ttls.toSorted()).toEqual([2, 22]);
  });

  test('is not counted for machines, refused requests and link.json', async () => {
    const { path, ...link } = await publish();
    for (const agent of ['curl/8.5.0', '']) {
      const { statusCode, json } = await ask(`${path}/open.json`, {
        query: 'platform=ios',
        headers: { 'user-agent': agent },
      });
      expect([statusCode, json.link]).toEqual([200, destination]);
    }
    await ask(`${path}/link.json`);
    await ask(`${path}/open.json`, { query: 'platform=tv' });
    expect(await opensOf(link)).toEqual({ opens: 0, firstOpens: 0, clicks: 0 });
  });
});

test('links that are not live get the same response, whatever the reason, and no open', async () => {
  const [paused, deleted] = [await publish(), await publish()];
  await stores.links.setStatus(paused.project, paused.code, 'PAUSED', { now: new Date() });
  await stores.links.delete(deleted.project, deleted.code, { now: new Date() });
  const expired = await publish({}, { expiresAt: '2026-06-01T12:00:00.000Z' });
  const unopenable = await publish({ link: 'itms-apps://example.com' });
  for (const path of [paused.path, deleted.path, expired.path, unopenable.path, '/none/none', '/a/b/c', '']) {
    for (const file of ['link.json', 'open.json']) {
      const { statusCode, headers, json } = await ask(`${path}/${file}`, { query: 'platform=ios' });
      const refusal = { error: 'This link does not lead anywhere' };
      expect([path, statusCode, json]).toEqual([path, 404, refusal]);
      expect(headers?.['Cache-Control']).toBe('private, no-store');
    }
  }
  // Before anything else of the request is read.
  expect((await ask(`${paused.path}/open.json`)).statusCode).toBe(404);
  expect(await opensOf(unopenable)).toEqual({ opens: 0, firstOpens: 0, clicks: 0 });
});

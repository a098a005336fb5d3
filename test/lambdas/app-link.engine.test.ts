import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { newMobileApp } from '../../core/apps/mobile-app.ts';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { openStores } from '../../core/stores.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { appLink } from '../../lambdas/short-urls/app-link.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { fileTable, tableName } from '../support/engine.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { ofFile } from '../support/of-file.ts';

const table = fileTable();
const stores = ofFile(() => openStores(table.table));
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

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly host?: string;
  readonly query?: string;
  readonly now?: Date;
}

const ask = async (
  path: string,
  { method = 'GET', headers = {}, host = sharedHost, query = '', now = new Date() }: Asked = {},
) => {
  const answer = await handler({
    rawPath: path,
    rawQueryString: query,
    headers: {
      'user-agent': 'okhttp/4.12.0',
      'x-forwarded-host': host,
      'x-amz-cf-id': unique('request'),
      'cloudfront-viewer-address': '203.0.113.7:4711',
      'cloudfront-forwarded-proto': 'https',
      ...headers,
    },
    requestContext: { http: { method }, timeEpoch: now.getTime(), requestId: unique('request') },
  } as unknown as LambdaFunctionURLEvent);
  if (typeof answer === 'string') throw new Error('An answer has a status');
  return { ...answer, json: JSON.parse(answer.body ?? '') };
};

const publish = async (payload: Partial<LinkPayload> = {}, fields: object = {}) => {
  const project = aProject();
  await stores.projects.create(project);
  const link = await stores.links.create(
    aLinkDraft({ project: project.id, payload: { link: destination, ...payload }, ...fields }),
    { project, generateCode: () => unique('code') },
  );
  return { ...link, folder: `/${project.id}/${link.code}` };
};

describe('link.json', () => {
  test('describes the link, and is not cached', async () => {
    const { folder, code, project } = await publish(
      {
        campaign: { utm_source: 'mail' },
        android: { package: 'com.example.shop', min_version: '30' },
        desktop_fallback: 'https://example.com/desktop',
      },
      { expiresAt: '2099-01-01T00:00:00.000Z' },
    );
    const { statusCode, headers, json } = await ask(`${folder}/link.json`, { query: 'ref=a&qr&d=1' });
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
      ios: null,
      data: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  test('has the current settings of saved apps', async () => {
    const { folder, project } = await publish({ iosAppId: 'app-1', ios: { bundleId: 'com.example.manual' } });
    const bundle = async () => (await ask(`${folder}/link.json`)).json.ios.bundleId;
    expect(await bundle()).toBe('com.example.manual');
    const app = { name: 'Shop', platform: 'IOS', bundleId: 'com.example.saved' } as const;
    await stores.apps.create(project, newMobileApp('app-1', app, new Date()));
    expect(await bundle()).toBe('com.example.saved');
  });

  test("shows the project's current short URL, at each form of the short URL", async () => {
    const { folder, code, project } = await publish();
    const host = `${unique('go')}.example`;
    await stores.domains.assign({ host, project });
    const shortUrl = `https://${host}/${code}`;
    expect((await ask(`/${code}/link.json`, { host })).json.shortUrl).toBe(shortUrl);
    expect((await ask(`${folder}/link.json`, { host })).json.shortUrl).toBe(shortUrl);
    expect((await ask(`${folder}/link.json`)).json.shortUrl).toBe(shortUrl);
    expect((await ask(`/${code}/link.json`)).statusCode).toBe(404);
  });

  test('passes on parameters that only open.json keeps', async () => {
    const { folder } = await publish();
    const query = 'platform=ios&first=true&openId=any';
    expect((await ask(`${folder}/link.json`, { query })).json.link).toBe(`${destination}?${query}`);
  });
});

describe('open.json', () => {
  test('describes the same, without its own parameters', async () => {
    const { folder } = await publish();
    const query = `a=1&platform=ios&%66irst=true&qr&first=no&open%49d=${unique('opening-of-an-app')}`;
    const opened = await ask(`${folder}/open.json`, { query });
    expect([opened.statusCode, opened.json]).toEqual([
      200,
      (await ask(`${folder}/link.json`, { query: 'a=1' })).json,
    ]);
  });

  test.each([
    '',
    'platform=',
    'platform=web',
    'platform=iOS',
    'platform=ios&platform=android',
    'Platform=ios',
  ])('refuses %j', async (query) => {
    const { folder } = await publish();
    const { statusCode, json } = await ask(`${folder}/open.json`, { query });
    expect([statusCode, json]).toEqual([400, { error: expect.stringContaining('platform') }]);
  });

  test.each([
    'openId=',
    'openId=15-letters-here',
    `openId=${'a'.repeat(65)}`,
    'openId=a-dot.is-too-much',
    'openId=a-right-opening-id%0a',
    'openId=a-right-opening-id&openId=a-right-opening-id',
  ])('refuses %j, and counts nothing', async (query) => {
    const { folder } = await publish();
    const answer = await ask(`${folder}/open.json`, { query: `platform=ios&${query}` });
    expect([answer.statusCode, answer.json]).toEqual([400, { error: expect.stringContaining('openId') }]);
    expect(answer.headers?.['Cache-Control']).toBe('private, no-store');
  });
});

describe('an app open', () => {
  const itemsOf = async ({ project, code }: { project: string; code: string }) => {
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
  const opensOf = async (link: { project: string; code: string }) => {
    const items = await itemsOf(link);
    const sum = (name: string) => items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
    return { opens: sum('opens'), firstOpens: sum('firstOpens'), clicks: sum('hits') };
  };

  test('is counted, first opens separately, and never as a click', async () => {
    const link = await publish();
    const path = `${link.folder}/open.json`;
    await ask(path, { query: 'platform=ios' });
    await ask(path, { query: 'platform=android&first=true' });
    await ask(path, { query: 'platform=android&first=1' });
    await ask(path, { query: 'platform=android&first=true&first=false' });
    expect(await opensOf(link)).toEqual({ opens: 4, firstOpens: 1, clicks: 0 });
  });

  test('is counted once for repeated requests', async () => {
    const link = await publish();
    const again = { query: 'platform=ios&first=true', headers: { 'x-amz-cf-id': unique('same') } };
    const path = `${link.folder}/open.json`;
    await ask(path, again);
    await Promise.all([ask(path, again), ask(path, again)]);
    expect(await opensOf(link)).toEqual({ opens: 1, firstOpens: 1, clicks: 0 });
  });

  test('with an ID is counted once on each link, however it is repeated, and leaves neither ID nor address', async () => {
    const [link, other] = [await publish(), await publish()];
    const openId = unique('opening-of-an-app');
    const request = (where: typeof link, rest: Asked & { first?: boolean; from?: string } = {}) => {
      const { first = false, from = '198.51.100.7' } = rest;
      const query = `platform=ios&first=${first}&openId=${openId}`;
      const headers = { 'cloudfront-viewer-address': `${from}:4711`, ...rest.headers };
      return ask(`${where.folder}/open.json`, { ...rest, query, headers });
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
    const plain = await ask(`${link.folder}/link.json`);
    for (const { json } of [counted, ...(await Promise.all(repeats))]) expect(json).toEqual(plain.json);
    await request(other);
    expect(await opensOf(link)).toEqual({ opens: 1, firstOpens: 1, clicks: 0 });
    expect(await opensOf(other)).toEqual({ opens: 1, firstOpens: 0, clicks: 0 });
    await ask(`${link.folder}/open.json`, { query: 'platform=ios' });
    expect((await opensOf(link)).opens).toBe(2);
    const items = await itemsOf(link);
    const sent = [
      openId,
      '198.51.100',
      '203.0.113',
      createHash('sha256').update(openId).digest('base64url').slice(0, 11),
    ];
    expect(sent.filter((text) => JSON.stringify(items).includes(text))).toEqual([]);
    expect(items.map(({ ttl }) => Math.round((Number(ttl) - start / 1000) / 86_400)).toSorted()).toEqual([
      2, 22,
    ]);
  });

  test('is not counted for HEAD, prefetches, crawlers and bots, which get the same response', async () => {
    const link = await publish();
    const looks: Asked[] = [
      { method: 'HEAD' },
      { headers: { 'sec-purpose': 'prefetch' } },
      { headers: { 'user-agent': 'Twitterbot/1.0' } },
      { headers: { 'user-agent': 'curl/8.5.0' } },
      { headers: { 'user-agent': '' } },
    ];
    const answers = await Promise.all(
      looks.map((look) => ask(`${link.folder}/open.json`, { ...look, query: 'platform=ios' })),
    );
    for (const { statusCode, json } of answers) {
      expect([statusCode, json.link]).toEqual([200, destination]);
    }
    await ask(`${link.folder}/link.json`);
    await ask(`${link.folder}/open.json`, { query: 'platform=tv' });
    expect(await opensOf(link)).toEqual({ opens: 0, firstOpens: 0, clicks: 0 });
  });

  test("is not counted if the link's destination cannot be opened", async () => {
    const link = await publish({ link: 'itms-apps://example.com' });
    expect((await ask(`${link.folder}/open.json`, { query: 'platform=ios' })).statusCode).toBe(404);
    expect(await opensOf(link)).toEqual({ opens: 0, firstOpens: 0, clicks: 0 });
  });
});

test('links that are not live get the same response, whatever the reason', async () => {
  const paused = await publish();
  await stores.links.setStatus(paused.project, paused.code, 'PAUSED', { now: new Date() });
  const deleted = await publish();
  await stores.links.delete(deleted.project, deleted.code, { now: new Date() });
  const expired = await publish({}, { expiresAt: '2026-06-01T12:00:00.000Z' });
  const unopenable = await publish({ link: 'itms-apps://example.com' });
  const paths = [
    paused,
    deleted,
    expired,
    unopenable,
    { folder: '/none/none' },
    { folder: '/a/b/c' },
    { folder: '' },
  ];
  for (const { folder } of paths) {
    for (const file of ['link.json', 'open.json']) {
      const { statusCode, headers, json } = await ask(`${folder}/${file}`, { query: 'platform=ios' });
      expect([folder, statusCode, json]).toEqual([
        folder,
        404,
        { error: 'This link does not lead anywhere' },
      ]);
      expect(headers?.['Cache-Control']).toBe('private, no-store');
    }
  }
});

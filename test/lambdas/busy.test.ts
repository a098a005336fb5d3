import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { hostShareStore } from '../../core/short-urls/association-store.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { AwsError } from '../../core/table/errors.ts';
import type { Key } from '../../core/table/keys.ts';
import type { Item } from '../../core/table/table.ts';
import { countMetric } from '../../lambdas/frame/log.ts';
import { appLink } from '../../lambdas/short-urls/app-link.ts';
import { qr } from '../../lambdas/short-urls/qr.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { wellKnown } from '../../lambdas/short-urls/well-known.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { visitEvent } from '../support/function-calls.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { metaOf } from '../support/html.ts';
import { ofEachTest } from '../support/of-file.ts';

const expiresAt = '2026-06-01T12:00:00.000Z';
const link: Item = {
  project: 'acme',
  code: 'launch',
  status: 'ACTIVE',
  expiresAt,
  payload: { link: 'https://example.com/landing', iosAppId: 'ios-app' },
};

let refuses: (key: { readonly PK: unknown }) => boolean;
let error: Error;
let clicks: number;
const log = ofEachTest(captureFunctionLog);
beforeEach(() => {
  refuses = () => false;
  error = new AwsError({ name: 'ThrottlingException' });
  clicks = 0;
});

const open = () => {
  const table = {
    get: async (key: Key) => {
      if (refuses(key)) throw error;
      return key.PK.startsWith('LINK#') ? link : undefined;
    },
    query: async ({ ExpressionAttributeValues: values }: { ExpressionAttributeValues?: Item }) => {
      if (refuses({ PK: values?.[':all'] })) throw error;
      return [];
    },
  };
  const reads = visitorReads(table, { count: countMetric });
  const shortLinks = shortLinkStore(reads, 'go.test');
  const record = async () => {
    clicks += 1;
  };
  const counting = { visitorSecret: 'secret', uniqueWindowDays: 90 };
  const counters = { clicks: { record }, excluded: { add: record } };
  const hostShares = hostShareStore(reads, 'go.test');
  const stores = { shortLinks, hostShares, ...counters };
  return {
    redirect: redirect({ ...counting, stores } as never),
    appLink: appLink({ ...counting, stores } as never),
    qr: qr(stores),
    wellKnown: wellKnown(stores),
  };
};

const eventOf = (path: string, { at = '2026-06-01T11:00:00.000Z', userAgent = userAgents.desktop } = {}) =>
  visitEvent(path, {
    headers: { 'user-agent': userAgent, 'x-forwarded-host': 'go.test' },
    now: new Date(at),
  });

type Answer = { statusCode: number; headers: Record<string, string>; body: string };

const cases = [
  ['redirect', '/acme/launch'],
  ['appLink', '/acme/launch/link.json'],
  ['appLink', '/acme/launch/open.json'],
  ['qr', '/acme/launch/qr.svg'],
  ['wellKnown', '/.well-known/assetlinks.json'],
] as const;

describe.each([
  ['throttles', new AwsError({ name: 'ThrottlingException' }), false],
  ['is out of reach', new AwsError({ name: 'TimeoutError' }), false],
  ['has a fault', new Error('unforeseen'), true],
])('a table that %s', (_, thrown, isFault) => {
  test.each(cases)('lets %s return 503 for %s', async (name, path) => {
    error = thrown;
    refuses = () => true;
    const { statusCode, headers, body } = (await open()[name](eventOf(path))) as Answer;
    expect([statusCode, clicks]).toEqual([503, 0]);
    expect(headers).toMatchObject({
      'Retry-After': '3',
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': expect.stringContaining('noindex'),
    });
    if (name === 'redirect') {
      expect(body).toContain('http-equiv="refresh" content="4"');
      expect(metaOf(body, 'robots')).toContain('noindex');
    } else expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
    const lines = log.lines.join('');
    expect(lines).toContain('"RedirectBusy":1');
    expect(lines.includes('InternalError')).toBe(isFault);
  });
});

test('a link works without an app that can not be read, which is counted', async () => {
  refuses = ({ PK }) => String(PK).startsWith('PROJECT#');
  const answer = await open().redirect(eventOf('/acme/launch', { userAgent: userAgents.iphone }));
  expect(answer).toMatchObject({ statusCode: 302, headers: { Location: 'https://example.com/landing' } });
  expect([clicks, log.lines.join('').includes('"AppUnread":1')]).toEqual([1, true]);
});

test("an unreadable list of takedowns doesn't stop visits, and is counted", async () => {
  refuses = ({ PK }) => ['SUSPENDED', 'DENIED'].includes(String(PK));
  expect(await open().redirect(eventOf('/acme/launch'))).toMatchObject({ statusCode: 302 });
  expect(log.lines.join('')).toContain('"TakedownsUnread":1');
});

test('a link expires in time even while a copy answers', async () => {
  const handler = open().redirect;
  const at = new Date(expiresAt).getTime();
  const just = new Date(at - 1).toISOString();
  expect(await handler(eventOf('/acme/launch', { at: just }))).toMatchObject({ statusCode: 302 });
  refuses = () => true;
  expect(await handler(eventOf('/acme/launch', { at: just }))).toMatchObject({ statusCode: 302 });
  expect(await handler(eventOf('/acme/launch', { at: expiresAt }))).toMatchObject({ statusCode: 404 });
});

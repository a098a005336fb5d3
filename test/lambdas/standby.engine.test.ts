import type { SQSRecord } from 'aws-lambda';
import { memoryTimes, visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { hostShareStore } from '../../core/short-urls/association-store.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { copiesStore, itemCopier } from '../../core/standby/copy-store.ts';
import { standbyStore } from '../../core/standby/home.ts';
import { openStores } from '../../core/stores.ts';
import { AwsError } from '../../core/table/errors.ts';
import { hiddenKey, homeKey, linkKey } from '../../core/table/keys.ts';
import { batchSender } from '../../core/table/queue-batches.ts';
import { forClicks } from '../../core/table/retry-policy.ts';
import { updateOf } from '../../core/table/update.ts';
import type { LateWrite } from '../../core/visits/late-click-store.ts';
import { clickForwarder } from '../../lambdas/queues/forward-clicks.ts';
import { busyJsonResponse } from '../../lambdas/short-urls/busy.ts';
import { standingIn } from '../../lambdas/short-urls/standby.ts';
import { standbyRedirect } from '../../lambdas/short-urls/standby-redirect.ts';
import { wellKnown } from '../../lambdas/short-urls/well-known.ts';
import { startEngineProxy } from '../../local/engine/engine-proxy.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { type Visit, type VisitHandler, visitBy } from '../support/function-calls.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { ofFile } from '../support/of-file.ts';
import { publisher } from '../support/published-links.ts';

/** The second region's table. Tests write what the copier would have copied. */
const table = fileTable();
const stores = ofFile(() => openStores(table.table));
const publish = publisher(stores);
ofFile(captureFunctionLog);

/** The functions' table calls. */
let calls: string[];
const proxy = ofFile(() =>
  startEngineProxy(table.endpoint, ({ operation }, forward) => {
    calls.push(operation);
    return forward();
  }),
);

const metered = ofFile(() => startMeteredEngine(table.endpoint));

let kept: LateWrite[];
let secrets: string[];
let readSecret: () => Promise<string>;
let redirect: VisitHandler;
let files: VisitHandler;

const home = { clickQueueUrl: 'https://sqs.example/clicks', secretArn: 'arn:replica' };
/** A beat that was copied a while ago. */
const beat = async (secondsAgo = 1, delay = 900) => {
  const copiedAt = Date.now() - secondsAgo * 1000;
  await table.table.update(updateOf(homeKey, { set: { ...home, copiedAt, delay } }));
};
const setStopped = (stopped: true | undefined) =>
  table.table.update(updateOf(homeKey, stopped ? { set: { stopped } } : { remove: ['stopped'] }));

/** New containers, which cache nothing. */
beforeEach(async () => {
  [calls, kept, secrets] = [[], [], []];
  readSecret = async () => 'secret';
  await table.table.delete({ Key: homeKey });
  const reads = visitorReads(openLeanTable(proxy.endpoint), {
    memory: { ...memoryTimes, host: 0, suspension: 0, blocking: 0 },
  });
  const shared = {
    standby: standbyStore(reads),
    readSecret: (arn: string) => {
      secrets.push(arn);
      return readSecret();
    },
  };
  redirect = standbyRedirect({
    stores: { ...shared, shortLinks: shortLinkStore(reads) },
    readSecret: shared.readSecret,
    uniqueWindowSeconds: 90 * 86_400,
    enqueueClick: async (late) => void kept.push(late),
  });
  files = standingIn({
    ...shared,
    busy: busyJsonResponse,
    open: () => wellKnown({ hostShares: hostShareStore(reads) }),
  });
});

const visit = (path: string, one?: Visit) => visitBy(redirect, path, one);
const state = () => visitBy(files, '/.well-known/standby');

describe('the redirect of the second region', () => {
  test('redirects, and keeps each click as one that the first region may have counted', async () => {
    await beat();
    const { path, code, project } = await publish();
    calls = [];
    const headers = { 'x-visit-id': 'the-visit' };
    expect(await visit(path, { headers })).toMatchObject({ statusCode: 302 });
    await visit(path, { headers });
    expect(kept.map(({ isSure, write }) => [isSure, write.Key.PK])).toEqual(
      Array.from({ length: 2 }, () => [false, `VISITOR#${project}#${code}#1`]),
    );
    expect(kept[0]?.write.id).toBe(kept[1]?.write.id);
    expect(secrets).toEqual(['arn:replica']);
    expect([...new Set(calls)].sort()).toEqual(['GetItem', 'Query']);
  });

  test.each([
    ['before the first copy', () => Promise.resolve()],
    ['while it is stopped before the first copy', () => setStopped(true)],
    ['while it is stopped', () => beat().then(() => setStopped(true))],
  ])('shows the page that tries again %s', async (_, prepare) => {
    const { path } = await publish();
    await prepare();
    const answer = await visit(path);
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('<html')]);
    expect(kept).toEqual([]);
  });

  test('continues after a stop, and a beat does not end one', async () => {
    const { path } = await publish();
    await beat();
    await setStopped(true);
    const copy = itemCopier({ item: async () => ({ ...homeKey, beatAt: Date.now() }) }, table.table, home);
    await copy(homeKey);
    expect((await visit(path)).statusCode).toBe(503);
    await setStopped(undefined);
    expect((await visit(path)).statusCode).toBe(302);
  });

  test('shows the page that tries again without the secret, and asks for it again', async () => {
    await beat();
    const { path } = await publish();
    readSecret = () => Promise.reject(new AwsError({ name: 'AccessDeniedException' }));
    expect((await visit(path)).statusCode).toBe(503);
    readSecret = async () => 'secret';
    expect((await visit(path)).statusCode).toBe(302);
    // The last value stays for the container's life.
    readSecret = () => Promise.reject(new AwsError({ name: 'AccessDeniedException' }));
    expect((await visit(path)).statusCode).toBe(302);
  });

  test('judges expiry by itself, because its table has no TTL', async () => {
    await beat();
    const { path, project, code } = await publish();
    const now = new Date('2026-06-01T00:00:00.000Z');
    for (const [expiresAt, status] of [
      ['2026-06-01T00:00:00.001Z', 302],
      ['2026-06-01T00:00:00.000Z', 404],
    ] as const) {
      await table.table.update(updateOf(linkKey(project, code), { set: { expiresAt } }));
      expect((await visit(path, { now })).statusCode).toBe(status);
    }
  });

  test('hides a link for which an operator has written a denial there', async () => {
    await beat();
    const [{ path, ...link }, other] = [await publish(), await publish()];
    await table.table.put({ Item: hiddenKey(link) });
    expect((await visit(path)).statusCode).toBe(404);
    expect((await visit(other.path)).statusCode).toBe(302);
    await table.table.delete({ Key: hiddenKey(link) });
    expect((await visit(path)).statusCode).toBe(302);
  });

  test.each(['/qr.png', '/qr.svg', '/link.json', '/open.json?platform=ios', '?d=1'])(
    'answers 503 for %s, also of unknown links',
    async (rest) => {
      await beat();
      const { path } = await publish();
      for (const start of [path, '/none/none']) {
        const [file = '', query = ''] = `${start}${rest}`.split('?');
        expect((await visit(file, { query })).statusCode).toBe(503);
      }
      expect(kept).toEqual([]);
    },
  );

  test('counts no visit that is no click, and answers 405 and 404 as the first region does', async () => {
    await beat();
    const { path } = await publish();
    expect((await visit(path, { method: 'HEAD' })).statusCode).toBe(302);
    for (const userAgent of ['Twitterbot/1.0', 'curl/8.5.0'])
      expect((await visit(path, { headers: { 'user-agent': userAgent } })).statusCode).toBeLessThan(303);
    expect((await visit('/none/none')).statusCode).toBe(404);
    expect((await visit(path, { method: 'POST' })).statusCode).toBe(405);
    expect([kept, calls.filter((call) => !['GetItem', 'Query'].includes(call))]).toEqual([[], []]);
  });

  test("serves a host's addresses, rules, previews and interstitial pages", async () => {
    await beat();
    const host = `${unique('go')}.example.com`;
    const { project, code, path } = await publish({
      link: 'https://example.com/',
      social: { title: 'Shown by networks' },
      rules: [{ name: 'german', countries: ['DE'], link: 'https://example.com/de' }],
      interstitial: 'always',
    });
    await table.table.put({
      Item: {
        ...{ PK: `DOMAIN#${host}`, SK: 'DOMAIN', host, project },
        ...{ root: 'https://example.com/root', notFound: 'https://example.com/lost' },
      },
    });
    const on = { 'x-forwarded-host': host };
    expect((await visit('/', { headers: on })).headers).toMatchObject({
      Location: 'https://example.com/root',
    });
    expect((await visit('/none', { headers: on })).body).toContain('https://example.com/lost');
    const german = { ...on, 'cloudfront-viewer-country': 'DE' };
    expect((await visit(`/${code}`, { headers: german })).headers).toMatchObject({
      Location: 'https://example.com/de',
    });
    expect((await visit(path, { headers: { 'user-agent': 'Twitterbot/1.0' } })).body).toContain(
      'Shown by networks',
    );
    // The page has the project's QR style.
    const page = await visit(path, { headers: { 'user-agent': userAgents.iphone } });
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<html')]);
  });

  test('a click that its queue does not take is lost, and its visitor is redirected', async () => {
    await beat();
    const { path } = await publish();
    kept = Object.freeze([]) as unknown as LateWrite[];
    expect((await visit(path, { headers: { 'user-agent': userAgents.iphone } })).statusCode).toBe(302);
  });
});

describe('the state of the second region', () => {
  test.each([
    ['the delay of the last beat', 1, 7400, 200, 7],
    ['nothing before the next beat is due', 59, 900, 200, 1],
    ['the time for which the next beat is overdue', 110, 900, 200, 50],
    ['at most a minute', 120, 900, 200, 60],
  ] as const)('is %s', async (_, secondsAgo, delay, statusCode, behindSeconds) => {
    await beat(secondsAgo, delay);
    const answer = await state();
    expect([answer.statusCode, JSON.parse(answer.body ?? '')]).toEqual([statusCode, { behindSeconds }]);
    expect(answer.headers).toMatchObject({ 'Cache-Control': 'private, no-store' });
  });

  test.each([
    ['is more than a minute behind', () => beat(122)],
    ['had a change that took more than a minute', () => beat(1, 61_000)],
    ['has no copy', () => Promise.resolve()],
    ['is stopped', () => beat().then(() => setStopped(true))],
  ])('is 503 if it %s', async (_, prepare) => {
    await prepare();
    expect((await state()).statusCode).toBe(503);
  });

  test("is 503 without the secret's replica", async () => {
    await beat();
    readSecret = () => Promise.reject(new AwsError({ name: 'ResourceNotFoundException' }));
    expect((await state()).statusCode).toBe(503);
  });

  test('is next to the association files, which it serves by the same host', async () => {
    await beat();
    const answer = await visitBy(files, '/.well-known/assetlinks.json');
    expect([answer.statusCode, answer.body]).toEqual([200, '[]']);
  });
});

describe('clicks that wait in the second region', () => {
  const batch = Array.from(
    { length: 25 },
    (_, i) => ({ messageId: `${i}`, body: `click ${i}` }) as SQSRecord,
  );
  const forward = async (answer: (call: number) => Promise<Record<string, unknown>>) => {
    const sent: string[] = [];
    let call = 0;
    const send = batchSender(
      async ({ input }) => {
        call += 1;
        const { QueueUrl, Entries } = input as { QueueUrl: string; Entries: { MessageBody: string }[] };
        expect(QueueUrl).toBe(home.clickQueueUrl);
        const found = await answer(call);
        sent.push(...Entries.map(({ MessageBody }) => MessageBody));
        return found;
      },
      { policy: forClicks, callsAtOnce: 8 },
    );
    const standby = standbyStore(visitorReads(openLeanTable(proxy.endpoint)));
    const { batchItemFailures } = await clickForwarder({ standby }, send)({ Records: batch });
    return { sent, calls: call, left: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
  };

  test('are sent unchanged, ten a call', async () => {
    await beat();
    const { sent, calls, left } = await forward(async () => ({}));
    expect([sent.sort(), calls, left]).toEqual([batch.map(({ body }) => body).sort(), 3, []]);
  });

  test('return at once if the first region refuses one call', async () => {
    await beat();
    const { left } = await forward(async (call) => {
      if (call === 1) return {};
      throw new AwsError({ name: 'AccessDeniedException' });
    });
    expect(left).toHaveLength(15);
  });

  test('return if the first region does not take one of a call', async () => {
    await beat();
    const { left } = await forward(async () => ({ Failed: [{ Id: '3' }] }));
    expect(left).toHaveLength(25);
  });

  test('wait for the first copy', async () => {
    const { left, calls } = await forward(async () => ({}));
    expect([left.length, calls]).toEqual([25, 0]);
  });
});

test('a changed link costs one read unit in the first region, and one write unit in the second', async () => {
  const { project, code } = await publish();
  const lean = openLeanTable(metered.endpoint);
  metered.take();
  await itemCopier(copiesStore(lean), lean, home)(linkKey(project, code));
  const units = metered.take().map(({ action, reads, writes }) => [action, reads, writes]);
  expect(units).toEqual([
    ['GetItem', 1, 0],
    ['PutItem', 0, 1],
  ]);
});

test('a beat is a write of the first region that is copied as any change', async () => {
  const at = Date.now();
  const copies = copiesStore(table.table);
  await copies.beat(at);
  await itemCopier(copies, table.table, home)(homeKey);
  expect(await table.table.get(homeKey)).toEqual({
    ...homeKey,
    ...home,
    ...{ beatAt: at, copiedAt: at, delay: expect.any(Number) },
  });
});

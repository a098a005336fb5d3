import { isDeepStrictEqual } from 'node:util';
import { newMobileApp } from '../../core/apps/mobile-app.ts';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { hostShareStore } from '../../core/short-urls/association-store.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { openStores } from '../../core/stores.ts';
import { once } from '../../core/table/retry-policy.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { excludedStore } from '../../core/visits/excluded-store.ts';
import { qr } from '../../lambdas/short-urls/qr.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { wellKnown } from '../../lambdas/short-urls/well-known.ts';
import { startEngineProxy } from '../../local/engine/engine-proxy.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { type Visit, type VisitHandler, visitBy } from '../support/function-calls.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { eventually } from '../support/local-stack.ts';
import { ofFile } from '../support/of-file.ts';
import { publisher } from '../support/published-links.ts';

const table = fileTable();
const stores = ofFile(() => openStores(table.table));
let handler: VisitHandler;
let files: typeof handler;

/** The redirect's table calls since the test began: `GetItem`, or `click` for the write of a click. */
let calls: string[];
/** Clicks are not written before this. */
let heldClicks: Promise<void>;

/** A proxy between the redirect and the engine that sees every call. */
const proxy = ofFile(() =>
  startEngineProxy(table.endpoint, async ({ operation, body }, forward) => {
    const isClick = body.includes('"VISITOR#');
    // Takedowns are cached: their queries belong to no particular visit.
    const isTakedowns = /"(SUSPENDED|DENIED)"/.test(body.toString());
    if (!isTakedowns) calls.push(operation === 'UpdateItem' && isClick ? 'click' : operation);
    if (isClick) await heldClicks;
    return forward();
  }),
);

const noQueue = () => Promise.reject(new Error('There is no queue'));

beforeAll(async () => {
  const { endpoint } = proxy;
  const reads = openLeanTable(endpoint);
  handler = redirect({
    stores: {
      clicks: clickStore(openLeanTable(endpoint, { deadlineMs: 1000 })),
      excluded: excludedStore(openLeanTable(endpoint, once)),
      shortLinks: shortLinkStore(visitorReads(reads)),
    },
    visitorSecret: 'secret',
    enqueueClick: noQueue,
    uniqueWindowSeconds: 90 * 86_400,
  });
  files = wellKnown({ hostShares: hostShareStore(visitorReads(reads)) });
});
beforeEach(() => {
  calls = [];
  heldClicks = Promise.resolve();
});

const visit = (path: string, one?: Visit) => visitBy(handler, path, one);
const by = (userAgent: string): Visit => ({ headers: { 'user-agent': userAgent } });
const on = (host: string): Visit => ({ headers: { 'x-forwarded-host': host } });

const publishing = publisher(stores);
const publish: typeof publishing = async (...given) => {
  const link = await publishing(...given);
  // Caches the host, whose read is not part of a visit's cost.
  await visit('/none/none');
  calls = [];
  return link;
};

describe('a click', () => {
  test('costs one read and one write', async () => {
    const { path } = await publish();
    expect(await visit(path)).toMatchObject({
      statusCode: 302,
      headers: { Location: 'https://example.com/landing', 'Cache-Control': 'private, no-store' },
    });
    expect(calls).toEqual(['GetItem', 'click']);
  });

  test("costs a second read only if the visitor's platform has a saved app", async () => {
    const { path } = await publish({ iosAppId: 'ios-app' });
    await visit(path, by(userAgents.iphone));
    expect(calls).toEqual(['GetItem', 'GetItem', 'click']);
    calls = [];
    await visit(path, by(userAgents.android));
    expect(calls).toEqual(['GetItem', 'click']);
  });

  test('is not counted for HEAD, prefetches, crawlers and the debug page', async () => {
    const { path } = await publish({ social: { title: 'Sale' } });
    const visits: Visit[] = [
      { method: 'HEAD' },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { headers: { 'sec-purpose': 'preview' } },
      by('Twitterbot/1.0'),
      by('curl/8.5.0'),
      { query: 'd=1' },
    ];
    const answers = await Promise.all(visits.map((one) => visit(path, one)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([302, 302, 302, 200, 302, 200]);
    expect(calls).not.toContain('click');
  });

  test('is counted once for each of 64 visits at the same time', async () => {
    const { path } = await publish();
    const visits = Array.from({ length: 64 }, (_, i) => ({
      headers: { 'cloudfront-viewer-address': `192.0.2.${i}:4711` },
    }));
    const answers = await Promise.all(visits.map((one) => visit(path, one)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(visits.map(() => 302));
    expect(calls.filter((call) => call === 'click')).toHaveLength(64);
  });

  test('that cannot be counted in time delays no visitor', async () => {
    const { path } = await publish();
    let release = () => {};
    heldClicks = new Promise((resolve) => {
      release = resolve;
    });
    expect(await visit(path)).toMatchObject({ statusCode: 302 });
    // The write may arrive after the visitor's response. After a hanging pooled connection it is tried on a new one.
    await eventually(
      async () => [...new Set(calls)].sort(),
      (kinds) => isDeepStrictEqual(kinds, ['GetItem', 'click']),
    );
    release();
  });
});

test('a destination gets its own parameter d, from the link and from the visitor', async () => {
  const { path, project, code } = await publish({ link: 'https://example.com/page?d=1&e=2' });
  const where = async (query: string) => (await visit(path, { query })).headers?.Location;
  expect(await where('')).toBe('https://example.com/page?d=1&e=2');
  expect(await where('%64=1')).toBe('https://example.com/page?e=2&%64=1');
  expect(await where('d=1')).toBeUndefined();
  const { excluded } = await stores.analytics.find(project, code);
  expect(excluded).toEqual({ debug: 1 });
});

describe('a change', () => {
  test('takes effect for the next visitor', async () => {
    const { path, project, code } = await publish();
    const status = async () => (await visit(path)).statusCode;
    expect(await status()).toBe(302);
    await stores.links.setStatus(project, code, 'PAUSED', { now: new Date() });
    expect(await status()).toBe(404);
    await stores.links.setStatus(project, code, 'ACTIVE', { now: new Date() });
    expect(await status()).toBe(302);
    await stores.links.delete(project, code, { now: new Date() });
    expect(await status()).toBe(404);
  });

  test('a change of a saved app takes effect at once', async () => {
    const { path, project } = await publish({
      androidAppId: 'app-1',
      android: { store_fallback: 'https://manual.example.com/' },
    });
    const where = async () => (await visit(path, by(userAgents.android))).headers?.Location;
    expect(await where()).toBe('https://manual.example.com/');
    await stores.apps.create(
      project,
      newMobileApp('app-1', { name: 'App', platform: 'ANDROID', packageName: 'com.example.one' }, new Date()),
    );
    expect(await where()).toContain('id=com.example.one');
    await stores.apps.update(project, 'app-1', {
      change: { packageName: 'com.example.two' },
      now: new Date(),
    });
    expect(await where()).toContain('id=com.example.two');
    await stores.apps.delete(project, 'app-1');
    expect(await where()).toBe('https://manual.example.com/');
  });
});

describe('a link that is not live', () => {
  test('gets the same response for one read, whatever the reason and the visitor', async () => {
    const paused = await publish({ iosAppId: 'ios-app', social: { title: 'Secret' } });
    await stores.links.setStatus(paused.project, paused.code, 'PAUSED', { now: new Date() });
    const deleted = await publish();
    await stores.links.delete(deleted.project, deleted.code, { now: new Date() });
    const expired = await publish({}, { expiresAt: '2026-06-01T12:00:00.000Z' });
    const foreign = await publish();
    const paths = [
      paused.path,
      deleted.path,
      expired.path,
      `/${paused.project}/${foreign.code}`,
      '/acme/unknown',
    ];
    for (const agent of [userAgents.desktop, userAgents.iphone, 'Twitterbot/1.0']) {
      for (const query of ['', 'd=1']) {
        calls = [];
        const answers = await Promise.all(
          paths.map((path) => visit(path, { query, headers: { 'user-agent': agent } })),
        );
        for (const answer of answers) expect(answer).toEqual(answers[0]);
        expect(answers[0]?.statusCode).toBe(404);
        expect(calls).toEqual(paths.map(() => 'GetItem'));
      }
    }
  });

  test('gets JSON for programs that ask for it', async () => {
    const answer = await visit('/acme/unknown', { headers: { accept: 'application/json, */*' } });
    expect(answer).toMatchObject({ statusCode: 404, headers: { 'Content-Type': 'application/json' } });
    expect(JSON.parse(answer.body ?? '')).toMatchObject({
      success: false,
      error: { code: 'LINK_NOT_FOUND' },
    });
    const browser = await visit('/acme/unknown', { headers: { accept: 'text/html,application/json' } });
    expect(browser.headers?.['Content-Type']).toBe('text/html; charset=utf-8');
  });

  test.each([
    ...'/ /ab /a.b /%zz /%00 /..%2f..%2fetc //ab /a/b/launch /UPPER/launch /launch/extra/more'.split(' '),
    ...'/größe /.well-known/unknown /launch%0d%0aset-cookie:a'.split(' '),
    `/${'a'.repeat(51)}`,
    `/${'a'.repeat(8000)}`,
  ])('is also %.40s, which cannot be a link and costs no read', async (path) => {
    await visit('/none/none');
    calls = [];
    expect((await visit(path)).statusCode).toBe(404);
    expect(calls).toEqual([]);
  });
});

describe('hosts', () => {
  const assign = async (project: string, shared = false) => {
    const host = `${unique('go')}.example`;
    await stores.domains.assign({ host, project, ...(shared && { shared }) });
    return host;
  };
  const statusOn = async (host: string, ...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await visit(path, on(host))).statusCode));

  test("with a project show its links, and no other project's folder", async () => {
    const [mine, other] = [await publish(), await publish()];
    const host = await assign(mine.project);
    const paths = [`/${mine.code}`, mine.path, other.path, `/${other.code}`];
    expect(await statusOn(host, ...paths)).toEqual([302, 302, 404, 404]);
  });

  test("that are shared show their owner's links and all folders", async () => {
    const [owner, other] = [await publish(), await publish()];
    const host = await assign(owner.project, true);
    expect(await statusOn(host, `/${owner.code}`, other.path, `/${other.code}`)).toEqual([302, 302, 404]);
  });

  test('without a project show no links, and work as soon as they are assigned', async () => {
    const { path, code, project } = await publish();
    const host = `${unique('new')}.example`;
    expect(await statusOn(host, path, `/${code}`)).toEqual([404, 404]);
    await stores.domains.assign({ host, project });
    expect(await statusOn(host, `/${code}`)).toEqual([302]);
  });

  test('appear in the preview as requested', async () => {
    const link = await publish({ social: { title: 'Sale' } });
    const host = await assign(link.project);
    const headers = { 'user-agent': 'Twitterbot/1.0', 'x-forwarded-host': host };
    expect((await visit(`/${link.code}`, { headers })).body).toContain(
      `<meta property="og:url" content="https://${host}/${link.code}">`,
    );
  });

  test('serve association files for the apps of their projects', async () => {
    const own = await publish();
    const neighbour = await publish();
    const association = (project: string) => ({ project, ios: [`ABCDE12345.${project}`], android: [] });
    await stores.associations.set(association(own.project));
    await stores.associations.set(association(neighbour.project));
    const statedOn = async (host: string) => {
      const answer = await visitBy(files, '/.well-known/apple-app-site-association', on(host));
      expect(answer).toMatchObject({
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
      });
      return JSON.parse(answer.body ?? '').applinks.details.map(({ appID }: { appID: string }) => appID);
    };
    expect(await statedOn(await assign(own.project))).toEqual([`ABCDE12345.${own.project}`]);
    const both = [`ABCDE12345.${own.project}`, `ABCDE12345.${neighbour.project}`];
    expect(await statedOn('d111111abcdef8.cloudfront.net')).toEqual(expect.arrayContaining(both));
    expect(await statedOn('nobodys.example')).toEqual([]);
    expect(await statedOn(await assign((await publish()).project, true))).toEqual(
      expect.arrayContaining(both),
    );
    await stores.associations.remove(own.project);
    expect(await statedOn('d111111abcdef8.cloudfront.net')).not.toContain(both[0]);
  });
});

describe('addresses of a host', () => {
  const root = 'https://acme.example.com/straße?a=1#top';
  const notFound = 'https://help.example.com/?a=1&b="2"';
  const link =
    '<a class="button" href="https://help.example.com/?a=1&amp;b=%222%22" rel="nofollow noopener">Go to help.example.com</a>';

  const assigned = async (addresses: { root?: string; notFound?: string }, shared = false) => {
    const published = await publish();
    const host = `${unique('go')}.example`;
    const { project } = published;
    await stores.domains.assign({ host, project, ...addresses, ...(shared && { shared }) });
    const visitOn = (path: string, one: Visit = {}) =>
      visit(path, { ...one, headers: { ...one.headers, 'x-forwarded-host': host } });
    return { ...published, host, visitOn };
  };

  test.each(['GET', 'HEAD'])('redirect %s of / for one read, without a click', async (method) => {
    const { visitOn } = await assigned({ root });
    const answer = {
      statusCode: 302,
      headers: {
        Location: 'https://acme.example.com/stra%C3%9Fe?a=1#top',
        'Cache-Control': 'private, no-store',
      },
    };
    expect(await visitOn('/', { method, query: 'utm_source=poster' })).toMatchObject(answer);
    expect(calls).toEqual(['GetItem']);
    await visitOn('/', { method, headers: { 'user-agent': userAgents.iphone } });
    expect(calls).toEqual(['GetItem']);
  });

  test('are linked on the not-found page, and cost no read', async () => {
    const { project, code, path, visitOn } = await assigned({ notFound });
    const more = async (fields: object = {}) => {
      const draft = aLinkDraft({ project, ...fields });
      return (await stores.links.create(draft, { project: aProject({ id: project }) })).code;
    };
    const [paused, blocked, deleted] = [await more(), await more(), await more()];
    const expired = await more({ expiresAt: '2026-06-01T12:00:00.000Z' });
    await stores.links.setStatus(project, paused, 'PAUSED', { now: new Date() });
    await stores.links.block(project, blocked, { now: new Date(), reason: undefined });
    await stores.links.delete(project, deleted, { now: new Date() });
    expect((await visitOn(`/${code}`)).statusCode).toBe(302);
    expect((await visitOn(path)).statusCode).toBe(302);
    const paths = ['unknown', paused, blocked, deleted, expired].map((one) => `/${one}`);
    calls = [];
    const answers = await Promise.all([...paths, `/${project}/unknown`].map((one) => visitOn(one)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.statusCode).toBe(404);
    expect(answers[0]?.body).toContain(link);
    expect(calls).toEqual(answers.map(() => 'GetItem'));
    calls = [];
    expect(await visitOn('/')).toEqual(answers[0]);
    expect(calls).toEqual([]);
    const forPrograms = await visitOn('/unknown', { headers: { accept: 'application/json' } });
    expect(forPrograms).toEqual(await visit('/acme/unknown', { headers: { accept: 'application/json' } }));
  });

  test('are also linked on the page for a missing QR code', async () => {
    const { host } = await assigned({ notFound });
    const drawn = qr({ shortLinks: shortLinkStore(visitorReads(openLeanTable(table.endpoint))) });
    const answer = await visitBy(drawn, '/unknown/qr.png', on(host));
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain(link);
  });

  test('have no effect on other hosts, the shared host, and hosts without a project', async () => {
    const plain = await visit('/acme/unknown');
    const { visitOn } = await assigned({});
    const shared = await assigned({ root, notFound }, true);
    for (const path of ['/', '/unknown']) {
      expect(await visitOn(path)).toEqual(plain);
      expect(await shared.visitOn(path)).toEqual(plain);
      expect(await visit(path, on(`${unique('no')}.example`))).toEqual(plain);
    }
  });

  test('disappear with a takedown', async () => {
    const blocked = `${unique('evil')}.example.com`;
    await stores.destinations.block(blocked, new Date());
    const suspended = await assigned({ root, notFound });
    const misled = await assigned({ root: `https://www.${blocked}/`, notFound: `https://${blocked}/` });
    await stores.projects.suspend(suspended.project, new Date());
    // The other handler's cached takedowns are older.
    const fresh = redirect({
      stores: { ...stores, shortLinks: shortLinkStore(visitorReads(openLeanTable(table.endpoint))) },
      visitorSecret: 'secret',
      enqueueClick: noQueue,
      uniqueWindowSeconds: 60,
    });
    const plain = await visit('/acme/unknown');
    for (const { host } of [suspended, misled]) {
      for (const path of ['/', '/unknown']) {
        expect(await visitBy(fresh, path, on(host))).toEqual(plain);
      }
    }
  });
});

test('only GET and HEAD are allowed', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'BREW']) {
    expect(await visit('/acme/launch', { method })).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'GET, HEAD' },
    });
  }
  expect(calls).toEqual([]);
});

test('only an existing project can have an association', async () => {
  expect(await stores.associations.set({ project: 'nobody', ios: [], android: [] })).toBe(false);
  expect(await stores.associations.remove('nobody')).toBe(false);
});

import { userAgents } from '../../ops/base/user-agents.ts';
import { newLink, newProject, payload, type TestProject } from '../support/api.ts';
import { eventually, expectEventually } from '../support/local-stack.ts';
import { sendRaw } from '../support/raw-request.ts';
import { ownStack, sharedStack } from '../support/stack-fixtures.ts';

/** Two regions, of which a header lets the first one fail. */
const stack = ownStack('--standby', '-c', 'localMemoryMs=300');
const alone = sharedStack();

const before = { 'x-sim-origin-failure': 'before' };
const after = { 'x-sim-origin-failure': 'after' };

let project: TestProject;
beforeAll(async () => {
  project = await newProject(stack);
});

const place = (code: string) => `/${project.id}/${code}`;
/** A visit that the first region doesn't see, as soon as the link is copied. */
const visitElsewhere = (
  code: string,
  headers = {},
  isCopied = ({ status }: { status: number }) => status !== 404,
) => eventually(() => stack.visit(place(code), { ...before, ...headers }), isCopied);

const clicksOf = async (code: string): Promise<number> =>
  (await project.call('GET', `/links/${code}`)).body.data.analytics.totalClicks;

/** Both must be the same, besides ids and the page's own state. */
const seen = ({ status, headers, text }: Awaited<ReturnType<typeof stack.visit>>) => ({
  status,
  location: headers.get('location'),
  type: headers.get('content-type'),
  cache: headers.get('cache-control'),
  text,
});

describe('while the first region is away', () => {
  test.each([
    ['a redirect', payload, { 'User-Agent': userAgents.iphone }],
    [
      'a rule',
      { ...payload, rules: [{ name: 'german', countries: ['DE'], link: 'https://example.de/' }] },
      { 'x-sim-viewer-country': 'DE' },
    ],
    [
      'a preview',
      { ...payload, social: { title: 'Title', description: 'Text', image: 'https://example.com/a.png' } },
      { 'User-Agent': 'facebookexternalhit/1.1' },
    ],
    [
      'an interstitial page',
      { ...payload, interstitial: 'always', ios: { app_store_id: '123456789' } },
      { 'User-Agent': userAgents.iphone },
    ],
  ])('%s is the same', async (_, content, headers) => {
    const { code } = await newLink(project, { payload: content });
    const elsewhere = await visitElsewhere(code, headers);
    expect(seen(elsewhere)).toEqual(seen(await stack.visit(place(code), headers)));
    expect(elsewhere.status).toBeLessThan(400);
  });

  test('unknown and paused links return the same 404', async () => {
    const { code } = await newLink(project);
    await visitElsewhere(code);
    await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
    const paused = await visitElsewhere(code, {}, ({ status }) => status === 404);
    const unknown = await stack.visit(place('never-was'), before);
    expect(seen(paused)).toEqual(seen(unknown));
    expect(seen(unknown)).toEqual(seen(await stack.visit(place('never-was'))));
  });

  test("a host's addresses and association files are the same", async () => {
    const host = `go.${project.id}.test`;
    const [root, notFound] = ['https://example.com/root', 'https://example.com/missing'];
    await stack.admin(
      'domain',
      'assign',
      host,
      '--project',
      project.id,
      '--root',
      root,
      '--not-found',
      notFound,
    );
    const files = ['--ios', 'ABCDE12345.com.acme.shop', '--android', 'com.acme.shop'];
    const fingerprint = Array(32).fill('0A').join(':');
    await stack.admin('association', 'set', '--project', project.id, ...files, '--sha256', fingerprint);
    const ask = (path: string, headers = {}) =>
      sendRaw(stack.facts.shortAddress + path, { headers: { host, ...headers } });
    await expectEventually(() => ask('/', before)).toMatchObject({ status: 302 });
    expect((await ask('/', before)).headers.location).toBe(root);
    const missing = await ask('/never-was', before);
    expect([missing.status, String(missing.body)]).toEqual([404, expect.stringContaining(notFound)]);
    for (const path of ['/.well-known/assetlinks.json', '/apple-app-site-association']) {
      await expectEventually(async () => String((await ask(path, before)).body)).toContain('com.acme.shop');
      const { status, body } = await ask(path, before);
      expect([status, body]).toEqual([200, (await ask(path)).body]);
    }
  });

  test.each(['qr.png', 'qr.svg', 'link.json', 'open.json?platform=ios', '?d=1'])(
    '%s returns 503',
    async (file) => {
      const { code } = await newLink(project);
      await visitElsewhere(code);
      const path = `${place(code)}${file.startsWith('?') ? '' : '/'}${file}`;
      expect((await stack.visit(path)).status).toBe(200);
      for (const failure of [before, after]) {
        const { status, headers } = await stack.visit(path, failure);
        expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
      }
    },
  );

  test('POST returns 405, and HEAD has no body', async () => {
    const { code } = await newLink(project);
    await visitElsewhere(code);
    expect((await stack.visit(place(code), before, 'POST')).status).toBe(405);
    const head = await stack.visit(place(code), before, 'HEAD');
    expect([head.status, head.text, head.headers.get('location')]).toEqual([302, '', payload.link]);
  });
});

test('each answered visit counts once, whichever region answered', async () => {
  const { code } = await newLink(project);
  await visitElsewhere(code);
  const visits = [{}, before, after, {}, after, before, after];
  for (const [index, failure] of visits.entries()) {
    const headers = { ...failure, 'x-sim-viewer-address': `192.0.2.${index}`, 'x-visit-id': 'forged' };
    expect((await stack.visit(place(code), headers)).status).toBe(302);
  }
  const clicks = visits.length + 1;
  await expectEventually(() => clicksOf(code)).toBeGreaterThanOrEqual(clicks);
  await expectEventually(() => stack.admin('standby', 'show')).toMatchObject({ clicksWaiting: 0 });
  expect(await clicksOf(code)).toBe(clicks);
});

test('a change reaches visitors of the second region', async () => {
  const { code } = await newLink(project);
  await visitElsewhere(code);
  await project.call('PATCH', `/links/${code}`, { payload: { link: 'https://example.com/changed' } });
  const changed = ({ headers }: { headers: Headers }) => headers.get('location') !== payload.link;
  const found = await eventually(() => stack.visit(place(code), before), changed);
  expect(found.headers.get('location')).toBe('https://example.com/changed');
  expect((await project.call('DELETE', `/links/${code}`)).status).toBe(200);
  await visitElsewhere(code, {}, ({ status }) => status === 404);
});

test('the second region answers /.well-known/standby and the paths below it', async () => {
  const { code } = await newLink(project);
  await visitElsewhere(code);
  for (const headers of [{}, before, after]) {
    const state = await stack.visit('/.well-known/standby', headers);
    expect([state.status, state.body]).toEqual([200, { behindSeconds: expect.any(Number) }]);
    const found = await stack.visit(`/.well-known/standby${place(code)}`, headers);
    expect([found.status, found.headers.get('location')]).toEqual([302, payload.link]);
  }
});

test('a stopped second region shows the page that tries again, until it is started', async () => {
  const { code } = await newLink(project);
  await visitElsewhere(code);
  await stack.admin('standby', 'stop');
  const stopped = await visitElsewhere(code, {}, ({ status }) => status === 503);
  expect(stopped.headers.get('retry-after')).not.toBeNull();
  expect(stopped.headers.get('content-type')).toMatch(/^text\/html/);
  expect((await stack.visit(place(code))).status).toBe(302);
  await expectEventually(() => stack.visit('/.well-known/standby')).toMatchObject({ status: 503 });
  await stack.admin('standby', 'start');
  await visitElsewhere(code, {}, ({ status }) => status === 302);
});

test('a denied link is hidden in the second region, then blocked in the first', async () => {
  const { code } = await newLink(project);
  await visitElsewhere(code);
  await stack.admin('standby', 'deny', code, '--project', project.id);
  await visitElsewhere(code, {}, ({ status }) => status === 404);
  expect((await stack.visit(place(code))).status).toBe(302);
  await stack.admin('standby', 'sync');
  await expectEventually(() => stack.visit(place(code))).toMatchObject({ status: 404 });
  expect(await stack.admin('standby', 'show')).toMatchObject({ region: 'us-west-2', denied: 0 });
});

test('without a second region, its path is 404 and the header means nothing', async () => {
  expect((await alone.visit('/.well-known/standby')).status).toBe(404);
  const only = await newProject(alone);
  const { code } = await newLink(only);
  for (const headers of [before, after])
    expect((await alone.visit(`/${only.id}/${code}/qr.svg`, headers)).status).toBe(200);
});

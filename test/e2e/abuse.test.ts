import { api } from '../../core/api/index.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import {
  androidApp,
  coded,
  newApp,
  newLink,
  newProject,
  payload,
  requestOf,
  type TestProject,
} from '../support/api.ts';
import { eventually, expectEventually, extendedContext } from '../support/local-stack.ts';
import { extendedStack } from '../support/stack-fixtures.ts';

/*
 * The runbook's section on abuse, step by step, against a tenant with several keys who tries everything to
 * continue.
 */
const stack = extendedStack();
const contact = extendedContext.abuseContact;

const blockedRequest = { code: 'BAD_REQUEST', message: expect.stringContaining('blocked') };
const phish = 'https://login.evil-bank.com/account';

const visit = async (project: TestProject, path: string, headers?: Record<string, string>) =>
  (await stack.visit(`/${project.id}/${path}`, headers)).status;

/** Every way a visitor can reach a link. */
const everyWay = ['', '?d=1', '/qr.png', '/qr.svg', '/link.json', '/open.json?platform=ios'];
const everyStatus = (project: TestProject, code: string) =>
  Promise.all(everyWay.map((way) => visit(project, `${code}${way}`)));
const all404 = everyWay.map(() => 404);

/** Exit code and standard error of an admin command that fails. */
const refusal = async (...args: string[]) =>
  stack.admin(...args).then(
    () => 'it succeeded',
    (error: { code: number; stderr: string }) => `${error.code} ${error.stderr.trim()}`,
  );

describe('a blocked link', () => {
  test('stops working at once, and its project cannot bring it back', async () => {
    const tenant = await newProject(stack);
    const { code } = await newLink(tenant, { payload: { ...payload, link: phish } });
    expect(await everyStatus(tenant, code)).toEqual([302, 200, 200, 200, 200, 200]);
    const unknown = await stack.visit(`/${tenant.id}/never-was`);

    const shown = await stack.admin('link', 'block', code, '--project', tenant.id, '--reason', 'phishing');
    expect(shown).toMatchObject({ code, status: 'PAUSED', blocked: true });
    expect(await everyStatus(tenant, code)).toEqual(all404);
    const gone = await stack.visit(`/${tenant.id}/${code}`);
    expect(gone.text).toBe(unknown.text);

    const refusals = [
      await tenant.call('PUT', `/links/${code}/status`, { status: 'ACTIVE' }),
      await tenant.call('PUT', `/links/${code}`, { payload: { link: 'https://harmless.example.com/' } }),
    ];
    for (const { status, body } of refusals) expect([status, body.error]).toEqual([400, blockedRequest]);
    const { body } = await tenant.call('GET', `/links/${code}`);
    expect(body.data).toMatchObject({ status: 'PAUSED', blocked: true, payload: { link: phish } });
    const list = (await tenant.call('GET', '/links')).body.data;
    expect(list[0]).toMatchObject({ code, status: 'PAUSED', blocked: true });
    const listed = await stack.admin('link', 'list', '--project', tenant.id, '--status', 'BLOCKED');
    expect(listed.map((link: { code: string }) => link.code)).toEqual([code]);
    expect(await stack.admin('link', 'list', '--project', tenant.id, '--status', 'PAUSED')).toEqual([]);

    expect((await tenant.call('DELETE', `/links/${code}`)).status).toBe(200);
    const recreated = await tenant.call('POST', '/links', { code, payload });
    expect(recreated.body.error.code).toBe('CODE_ALREADY_EXISTS');
    expect(await everyStatus(tenant, code)).toEqual(all404);
  });
});

test('a suspended project stops within five seconds, with all its keys, and can be resumed', async () => {
  const tenant = await newProject(stack);
  const { code } = await newLink(tenant);
  // Each call has a link and an app of its own, because it may succeed until the suspension applies.
  const calls = await Promise.all(
    Object.values(api).map(async (contract) => {
      const [link, app] = [await newLink(tenant), await newApp(tenant)];
      return { contract, request: requestOf(contract, { code: link.code, id: app.id }) };
    }),
  );
  expect(await visit(tenant, code)).toBe(302);
  const since = Date.now();
  expect(await stack.admin('project', 'suspend', tenant.id)).toMatchObject({
    id: tenant.id,
    suspended: true,
  });
  const suspended = Date.now();
  await expectEventually(() => everyStatus(tenant, code)).toEqual(all404);
  // Each operation is a separate function with its own memory.
  for (const { contract, request } of calls) {
    const [method, path, body] = request;
    const answer = await eventually(
      () => tenant.call(method, path, body),
      ({ status }) => status === 403,
    );
    const timestamp = 'timestamp' in contract &&
      contract.timestamp === 'always' && { timestamp: expect.anything() };
    expect(answer.body).toEqual(coded('INSUFFICIENT_PERMISSIONS', timestamp || {}));
  }
  // A new key doesn't work either.
  const fresh = await stack.admin('key', 'create', '--project', tenant.id);
  expect((await stack.api('GET', '/links', { key: fresh.apiKey })).status).toBe(403);
  for (const open of ['/openapi.json', '/docs']) {
    expect((await stack.api('GET', open, { key: tenant.key })).status).toBe(200);
  }
  expect(await stack.admin('project', 'show', tenant.id)).toMatchObject({ suspended: true });
  expect(suspended).toBeGreaterThanOrEqual(since);

  const resumed = await stack.admin('project', 'resume', tenant.id);
  expect(resumed).not.toHaveProperty('suspended');
  await expectEventually(() => visit(tenant, code)).toBe(302);
  await expectEventually(() => stack.api('GET', '/links', { key: tenant.key })).toMatchObject({
    status: 200,
  });
  expect(await refusal('project', 'suspend', 'nobody')).toBe('1 There is no project nobody');
});

test('a blocked destination is refused within a minute, and its links stop redirecting', async () => {
  const tenant = await newProject(stack);
  const evil = 'evil-bank.com';
  const link = await newLink(tenant, { payload: { ...payload, desktop_fallback: phish } });
  const app = await newApp(tenant, { ...androidApp, playStoreFallback: phish });
  const shared = await newLink(tenant, {
    payload: { ...payload, androidAppId: app.id, social: { title: 'Bank' } },
  });
  expect(await visit(tenant, link.code)).toBe(302);
  expect(await stack.admin('destination', 'block', evil.toUpperCase())).toMatchObject({ host: evil });
  expect(await stack.admin('destination', 'list')).toContainEqual(expect.objectContaining({ host: evil }));

  const refused = {
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('the operator of this service'),
  };
  // Each operation is a separate function with its own memory.
  const [spare, spareApp] = [await newLink(tenant), await newApp(tenant, androidApp)];
  const named = { payload: { link: `https://${evil}/` } };
  const storing = [
    ['POST', '/links', named],
    ['PUT', `/links/${spare.code}`, named],
    ['POST', '/mobile-apps', { ...androidApp, playStoreFallback: phish }],
    ['PUT', `/mobile-apps/${spareApp.id}`, { playStoreFallback: phish }],
  ] as const;
  for (const [method, path, body] of storing) {
    await expectEventually(() => tenant.call(method, path, body)).toMatchObject({ status: 400 });
    expect((await tenant.call(method, path, body)).body.error).toMatchObject(refused);
  }
  // The owner still sees the stored link, and may change its other fields.
  const { body } = await tenant.call('GET', `/links/${link.code}`);
  expect(body.data).toMatchObject({ status: 'ACTIVE', payload: { desktop_fallback: phish } });
  expect((await tenant.call('PUT', `/links/${link.code}`, { name: 'New', payload })).status).toBe(200);

  await expectEventually(() => visit(tenant, link.code)).toBe(404);
  expect(await visit(tenant, link.code, { 'User-Agent': userAgents.iphone })).toBe(302);
  await expectEventually(() => visit(tenant, shared.code, { 'User-Agent': userAgents.android })).toBe(404);
  expect(await visit(tenant, shared.code)).toBe(302);
  expect(await refusal('destination', 'block', 'com')).toMatch(/^1 'com' can't be blocked/);
  expect(await refusal('destination', 'unblock', 'fine.example.com')).toMatch(/^1 .*is not blocked/);
  await stack.admin('destination', 'unblock', evil);
  await expectEventually(() => tenant.call('POST', '/links', { payload: { link: phish } })).toMatchObject({
    status: 201,
  });
});

test('every page shows where to report abuse', async () => {
  const tenant = await newProject(stack);
  const { code } = await newLink(tenant, { payload: { ...payload, interstitial: 'always' } });
  for (const path of ['never-was', `${code}?d=1`, code]) {
    const { text } = await stack.visit(`/${tenant.id}/${path}`);
    expect([path, text]).toEqual([path, expect.stringContaining(`href="${contact}"`)]);
  }
  const file = await stack.visit('/.well-known/security.txt');
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    file.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  expect(fields.get('Contact')).toBe(contact);
  const expires = Date.parse(fields.get('Expires') ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});

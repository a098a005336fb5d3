import { randomUUID } from 'node:crypto';
import { api } from '../../core/api/index.ts';
import { apiRoutesOf } from '../../core/api/routes.ts';
import { eventually } from './eventually.ts';
import { answered, expectTrue, header, refused, same } from './expect.ts';
import type { Check } from './run.ts';
import type { SmokeResponse, SmokeSession } from './session.ts';

export const payload = {
  link: 'https://example.com/landing',
  android: { package: 'com.example.app' },
  ios: { app_store_id: '123456789' },
};

export const createTrialLink = async ({ api, newCode }: SmokeSession, fields: object = {}) => {
  const created = await api('POST', '/links', { body: { code: newCode(), payload, ...fields } });
  return answered(created, 201).json.data;
};

/**
 * Waits for the usage plan's key, one of a deployment's last resources. API Gateway returns 503 until the key has
 * propagated. It needs several good responses in a row, because places get the key at different times.
 */
const planKey: Check['run'] = async ({ api, timeoutMs }) => {
  const started = Date.now();
  const threeCalls = async () => {
    await api('GET', '/usage');
    const second = await api('GET', '/usage');
    return second.status === 200 ? api('GET', '/usage') : second;
  };
  const shown = ({ status, text }: SmokeResponse) => `${status} ${text}`;
  answered(
    await eventually(threeCalls, ({ status }) => status !== 503, {
      shown,
      limitMs: timeoutMs,
      pauseMs: 1000,
    }),
    200,
  );
  return `after ${Math.round((Date.now() - started) / 1000)} s`;
};

/** The first response to a new key, which must not be refused. */
const atOnce: Check['run'] = async ({ api, createKey }) => {
  const { apiKey } = await createKey();
  answered(await api('GET', '/links/check/any-code', { key: apiKey }), 200);
};

const everyRoute: Check['run'] = async ({ api: call }) => {
  const routes = apiRoutesOf(api);
  for (const { method, path } of routes) {
    const answer = await call(method, path.replaceAll(/\{\w+\}/g, 'no-such-thing'), {
      ...(method !== 'GET' && method !== 'DELETE' && { body: 'not json' }),
    });
    const where = `${method} ${path}`;
    // Only the functions return the remaining calls; the gateway's own responses can't.
    expectTrue(
      `${where} answers ${answer.status} without its function`,
      header(answer, 'x-ratelimit-reset') !== '',
    );
    expectTrue(`${where} answers ${answer.status} ${answer.text}`, answer.status < 500);
  }
  return `${routes.length} routes`;
};

const linkCalls: Check['run'] = async (session) => {
  const { api, knowCode } = session;
  const link = await createTrialLink(session);
  const where = `/links/${link.code}`;
  const created = answered(await api('POST', '/links', { body: { payload } }), 201);
  knowCode(created.json.data.code);
  same('Location', header(created, 'location'), `${session.apiPath}/links/${created.json.data.code}`);
  same('originalUrl', answered(await api('GET', where), 200).json.data.originalUrl, payload.link);
  answered(await api('PUT', where, { body: { payload: { link: 'https://example.com/other' } } }), 200);
  same('originalUrl', (await api('GET', where)).json.data.originalUrl, 'https://example.com/other');
  refused(await api('POST', '/links', { body: { code: link.code, payload } }), 409, 'CODE_ALREADY_EXISTS');
  answered(await api('DELETE', where), 200);
  refused(await api('GET', where), 404, 'LINK_NOT_FOUND');
};

/** Repeats each call with its Idempotency-Key, which must create nothing. */
const repeats: Check['run'] = async ({ api, knowCode }) => {
  const app = { platform: 'IOS', name: 'Smoke', bundleId: 'com.example.smoke' };
  const saving = { ios: { bundleId: app.bundleId, saveApp: true, appName: app.name } };
  const calls = [
    ['/links', { payload }],
    ['/links/bulk', { links: [{ payload: { ...payload, ...saving } }, { payload: {} }] }],
    ['/mobile-apps', app],
  ] as const;
  for (const [where, body] of calls) {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await api('POST', where, { body, headers });
    expectTrue(`POST ${where} answers ${first.status} ${first.text}`, first.status < 300);
    if (where === '/links') knowCode(first.json.data.code);
    if (where === '/links/bulk') knowCode(first.json.data.results[0].link.code);
    const again = answered(await api('POST', where, { body, headers }), first.status);
    same('data', JSON.stringify(again.json.data), JSON.stringify(first.json.data));
    same('Idempotent-Replayed', header(again, 'idempotent-replayed'), 'true');
    if (where === '/mobile-apps') answered(await api('DELETE', `${where}/${first.json.data.id}`), 200);
  }
};

const listing: Check['run'] = async (session) => {
  const { api } = session;
  await createTrialLink(session);
  await createTrialLink(session);
  const { json, headers } = answered(await api('GET', '/links?page=1&pageSize=2'), 200);
  same('page size', json.data.length, 2);
  // API Gateway passes queries on decoded.
  const { json: decoded } = answered(await api('GET', '/links?pageSize=%31'), 200);
  same('page size', decoded.pagination.pageSize, 1);
  refused(await api('GET', '/links?pageSize=0'), 400, 'INVALID_PARAMETERS');
  for (const name of ['limit', 'remaining', 'reset']) {
    expectTrue(`X-RateLimit-${name} is missing`, headers.has(`x-ratelimit-${name}`));
  }
};

const appCount = async (api: SmokeSession['api']): Promise<number> =>
  answered(await api('GET', '/mobile-apps'), 200).json.data.total;

const apps: Check['run'] = async ({ api }) => {
  const before = await appCount(api);
  const body = { name: 'Smoke', platform: 'ANDROID', packageName: 'com.example.smoke' };
  const { id } = answered(await api('POST', '/mobile-apps', { body }), 201).json.data;
  answered(await api('GET', `/mobile-apps/${id}`), 200);
  same('apps', await appCount(api), before + 1);
  answered(await api('PUT', `/mobile-apps/${id}`, { body: { name: 'Smoke 2' } }), 200);
  answered(await api('DELETE', `/mobile-apps/${id}`), 200);
  answered(await api('GET', `/mobile-apps/${id}`), 404);
};

const savedApps: Check['run'] = async (session) => {
  const { api } = session;
  const before = await appCount(api);
  const saving = {
    link: payload.link,
    ios: { saveApp: true, appName: 'Smoke', bundleId: 'com.example.smoke', app_store_id: '123456789' },
  };
  const { code } = await createTrialLink(session, { payload: saving });
  const saved = (await api('GET', `/links/${code}`)).json.data.payload.iosAppId;
  const { json } = answered(await api('GET', `/mobile-apps/${saved}`), 200);
  same('bundle id', json.data.bundleId, 'com.example.smoke');
  const android = { saveApp: true, appName: 'Smoke', package: 'com.example.smoke' };
  answered(await api('PUT', `/links/${code}`, { body: { payload: { ...payload, android } } }), 200);
  same('apps', await appCount(api), before + 2);
};

const checkAsCode: Check['run'] = async (session) => {
  const { api, knowCode } = session;
  knowCode('check');
  same('code', (await createTrialLink(session, { code: 'check' })).code, 'check');
  same('available', answered(await api('GET', '/links/check/check'), 200).json.data.available, false);
  answered(await api('GET', '/links/check'), 200);
  answered(await api('PUT', '/links/check', { body: { name: 'A link like any other', payload } }), 200);
  answered(await api('PUT', '/links/check/status', { body: { status: 'PAUSED' } }), 200);
  same('name', (await api('GET', '/links/check')).json.data.name, 'A link like any other');
  answered(await api('DELETE', '/links/check'), 200);
};

const scopesHold: Check['run'] = async ({ api, createKey }) => {
  const { apiKey } = await createKey(['links:read']);
  answered(await api('GET', '/links', { key: apiKey }), 200);
  refused(await api('POST', '/links', { key: apiKey, body: { payload } }), 403, 'INSUFFICIENT_PERMISSIONS');
};

const revocation: Check['run'] = async ({ api, createKey, revokeKey }) => {
  const { apiKey, keyId } = await createKey();
  answered(await api('GET', '/links', { key: apiKey }), 200);
  await revokeKey(keyId);
  refused(await api('GET', '/links', { key: apiKey }), 401, 'INVALID_API_KEY');
};

const usage: Check['run'] = async ({ api }) => {
  const { used, limit } = answered(await api('GET', '/usage'), 200).json.data;
  answered(await api('GET', '/links/check/any-code'), 200);
  same('used', (await api('GET', '/usage')).json.data.used, used + 1);
  return `${limit} calls an hour`;
};

export const apiChecks: readonly Check[] = [
  { name: 'the gateway accepts the key of its plan', run: planKey },
  { name: 'a new key works at once', run: atOnce },
  { name: 'every route reaches its function', run: everyRoute },
  { name: 'links are created, read, changed and deleted', run: linkCalls },
  { name: 'a creation that is repeated with its key creates nothing', run: repeats },
  { name: 'lists have pages, and answers their rate-limit headers', run: listing },
  { name: 'mobile apps are created, read, changed and deleted', run: apps },
  { name: 'apps are saved with the links that bring them', run: savedApps },
  { name: '`check` is a code like any other', run: checkAsCode },
  { name: 'a key does what its scopes allow', run: scopesHold },
  { name: 'a revoked key is refused at once', run: revocation },
  { name: 'usage counts calls, but not itself', run: usage },
];

import type { Contract } from '../core/api/endpoint.ts';
import { api } from '../core/api/index.ts';
import { demoProject, prepareDemo } from '../dev/demo.ts';
import { startStack } from '../local/stack.ts';
import { startEngine } from '../local/testing.ts';
import { apiClient, type SendRequest } from '../ops/base/api-client.ts';
import { temporaryFolder } from '../ops/base/temporary-folder.ts';
import { userAgents } from '../ops/base/user-agents.ts';
import type { OperationUnits } from '../ops/cost/inputs.ts';
import { openDeployment } from '../ops/deployment/deployment.ts';
import { localServices } from '../ops/deployment/service-access.ts';
import { createShareKey } from '../ops/projects/share-keys.ts';
import { type MeteredCall, sequentialTrips, startMeteredEngine } from '../test/support/metered-engine.ts';

export interface OperationCost extends OperationUnits {
  /** Consecutive table calls. */
  readonly trips: number;
}

/** The user agent of an app on an iPhone. */
const appAgent = 'Example/1 CFNetwork/3826 Darwin/25.0.0';

/** A plain link of some 300 bytes, with settings for both platforms. */
const payload = {
  link: 'https://example.com/landing',
  android: { package: 'com.example.app' },
  ios: { app_store_id: '123456789' },
};

/**
 * The capacity of every operation, measured by the engine of a served stack: every request runs the real bundles. The
 * measurements are exact, so a budget can bound them.
 */
export const measureCapacity = async (assembly: string): Promise<Record<string, OperationCost>> => {
  await using folder = await temporaryFolder('capacity-');
  const engine = await startEngine({ engine: 'sqlite' });
  const meter = await startMeteredEngine(engine.endpoint, { delayMs: 40 });
  const stack = await startStack({
    assembly,
    data: folder.path,
    apiPort: 0,
    distributionPort: 0,
    engine: meter.endpoint as `http://${string}`,
    log: () => undefined,
  });
  try {
    const deployment = openDeployment(stack.outputs, localServices({ dynamodb: engine.endpoint }));
    const apiKey = await prepareDemo(deployment, undefined);
    const shared = await createShareKey(deployment, demoProject, { payload, allow: ['link.path'] });
    return await measureOn(stack.outputs, meter, { apiKey, publishableKey: shared.apiKey });
  } finally {
    await stack.stop();
    await meter.stop();
    await engine.stop();
  }
};

const measureOn = async (
  { ApiBaseUrl = '', ShortBaseUrl = '' }: Readonly<Record<string, string>>,
  meter: { take(): MeteredCall[] },
  { apiKey, publishableKey }: { readonly apiKey: string; readonly publishableKey: string },
): Promise<Record<string, OperationCost>> => {
  const send = apiClient({ apiBaseUrl: ApiBaseUrl, apiKey });
  const called = new Set<Contract>([api.createShareLink]);
  const call: SendRequest = (method, where, ...rest) => {
    const contract = contractOf(method, where);
    if (contract) called.add(contract);
    return send(method, where, ...rest);
  };
  const follow = (where: string) => visit(`${ShortBaseUrl}${where}`, userAgents.iphone, 302);

  const costs: Record<string, OperationCost> = {};
  const measure = async <Value>(name: string, operation: () => Promise<Value>): Promise<Value> => {
    meter.take();
    const value = await operation();
    // Analytics are written after a click's request, not by it.
    const calls = meter.take().filter(({ caller }) => !caller.startsWith('Clicks'));
    costs[name] = {
      reads: sum(calls, 'reads'),
      writes: sum(calls, 'writes'),
      trips: sequentialTrips(calls),
    };
    return value;
  };

  // Fills the authorizer's cache for the calls that follow.
  await call('GET', '/usage');
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  // The first link of a project also updates the project.
  await call('POST', '/links', { code: 'first', payload });
  await call('DELETE', '/links/first');
  await measure('create link', () => call('POST', '/links', { code: 'plain', payload }));
  await measure('create link, generated code', () => call('POST', '/links', { payload }));
  await measure('create link with expiry', () =>
    call('POST', '/links', { code: 'expiring', payload, expiresAt }),
  );
  await measure('create link, saving an app', () =>
    call('POST', '/links', {
      code: 'saving',
      payload: { link: payload.link, ios: { bundleId: 'com.example', saveApp: true, appName: 'Example' } },
    }),
  );
  await measureTags(call, measure);
  await measure('get link', () => call('GET', '/links/plain'));
  await measure('get link with a saved app', () => call('GET', '/links/saving'));
  await measure('list links', () => call('GET', '/links'));
  await measure('list links, page 2', () => call('GET', '/links?pageSize=2&page=2'));
  await measure('update link', () => call('PUT', '/links/plain', { payload }));
  await measure('update link status', () => call('PUT', '/links/plain/status', { status: 'PAUSED' }));
  await call('PUT', '/links/plain/status', { status: 'ACTIVE' });
  await measure('check code', () => call('GET', '/links/check/plain'));
  const app = { platform: 'IOS', name: 'App', bundleId: 'com.example' };
  const { id } = await measure('create mobile app', () => call('POST', '/mobile-apps', app));
  await measure('get mobile app', () => call('GET', `/mobile-apps/${id}`));
  await measure('list mobile apps', () => call('GET', '/mobile-apps'));
  await measure('update mobile app', () => call('PUT', `/mobile-apps/${id}`, { name: 'Other' }));
  await measure('delete mobile app', () => call('DELETE', `/mobile-apps/${id}`));
  const links = Array.from({ length: 4 }, (_, i) => ({ code: `bulk-${i}`, payload }));
  await measure('create 4 links in bulk', () => call('POST', '/links/bulk', { links }));
  const once = { 'Idempotency-Key': 'one' };
  const keyed = { code: 'keyed', payload };
  await measure('create link, with a key', () => call('POST', '/links', keyed, once));
  await measure('create link, replayed', () => call('POST', '/links', keyed, once));
  const keyedLinks = { links: links.map((link) => ({ ...link, code: `keyed-${link.code}` })) };
  await measure('create 4 links in bulk, with a key', () => call('POST', '/links/bulk', keyedLinks, once));
  await measure('create 4 links in bulk, replayed', () => call('POST', '/links/bulk', keyedLinks, once));
  await measure('usage', () => call('GET', '/usage'));
  await measure('analytics of a link', () => call('GET', '/analytics?code=plain&groupBy=countries'));
  await measure('analytics of a project', () => call('GET', '/analytics?groupBy=timeseries'));
  // The first visit of the host also reads its owner.
  await follow('/plain');
  await measure('redirect', () => follow('/demo/plain'));
  await measure('redirect with a saved app', () => follow('/demo/saving'));
  const ask = (where: string) => visit(`${ShortBaseUrl}${where}`, appAgent, 200);
  // The function's first call also reads the takedowns.
  await ask('/demo/plain/link.json');
  await measure('link.json', () => ask('/demo/plain/link.json'));
  await measure('link.json with a saved app', () => ask('/demo/saving/link.json'));
  await measure('open.json', () => ask('/demo/plain/open.json?platform=ios'));
  const opening = '/demo/plain/open.json?platform=ios&openId=drawn-by-the-app';
  await measure('open.json with an ID', () => ask(opening));
  await measure('open.json, repeated', () => ask(opening));
  await measure('delete link', () => call('DELETE', '/links/plain'));
  await measureShareLinks(apiClient({ apiBaseUrl: ApiBaseUrl, apiKey: publishableKey }), measure);
  // All other operations run the examples of their contracts.
  const others = Object.values<Contract>(api).filter((contract) => !called.has(contract));
  const { id: saved = '' } = others.length > 0 ? await call('POST', '/mobile-apps', app) : {};
  for (const { method, path: where, summary, example } of others) {
    const there: Readonly<Record<string, string>> = { ...example.params, code: 'saving', id: saved };
    const query = new URLSearchParams({ ...example.query, ...(example.query?.code && { code: 'saving' }) });
    const asked = `${where.replaceAll(/\{(\w+)\}/g, (_, name: string) => there[name] ?? '')}?${query}`;
    await measure(summary.toLowerCase(), () => call(method, asked, example.body as object | undefined));
  }
  return costs;
};

const visit = async (url: string, userAgent: string, wanted: number): Promise<void> => {
  const { status } = await fetch(url, { redirect: 'manual', headers: { 'User-Agent': userAgent } });
  if (status !== wanted) throw new Error(`${url}: ${status}`);
};

/** The contract that answers a request. If two paths match, the one with fewer parameters wins. */
const contractOf = (method: string, where: string): Contract | undefined => {
  const [asked = ''] = where.split('?');
  const parameters = /\{\w+\}/g;
  return Object.values<Contract>(api)
    .filter((one) => one.method === method)
    .filter((one) => new RegExp(`^${one.path.replaceAll(parameters, '[^/]+')}$`).test(asked))
    .sort((a, b) => (a.path.match(parameters)?.length ?? 0) - (b.path.match(parameters)?.length ?? 0))[0];
};

const measureShareLinks = async (share: SendRequest, measure: Measure): Promise<void> => {
  const shared = (below: string) => share('POST', '/share-links', { link: `${payload.link}/${below}` });
  // Fills the authorizer's cache, and stores the key's use.
  await shared('first');
  await measure('create share link', () => shared('second'));
  await measure('find share link', () => shared('second'));
  await measure('refused share link', () => shared('%2F').catch(() => undefined));
};

type Measure = <Value>(name: string, operation: () => Promise<Value>) => Promise<Value>;

const measureTags = async (call: SendRequest, measure: Measure): Promise<void> => {
  await call('POST', '/links', { code: 'first-tagged', payload, tags: ['summer', 'poster', 'berlin'] });
  await measure('create link with three tags', () =>
    call('POST', '/links', { code: 'tagged', payload, tags: ['summer', 'poster', 'berlin'] }),
  );
  await measure('create link with a new tag', () =>
    call('POST', '/links', { code: 'new-tag', payload, tags: ['autumn'] }),
  );
  await measure('list links with a tag', () => call('GET', '/links?tag=summer'));
  await measure('list links by a text', () => call('GET', '/links?search=example'));
  await measure('list tags', () => call('GET', '/tags'));
  for (const code of ['first-tagged', 'tagged', 'new-tag']) await call('DELETE', `/links/${code}`);
};

const sum = (calls: readonly MeteredCall[], field: 'reads' | 'writes') =>
  calls.reduce((total, call) => total + call[field], 0);

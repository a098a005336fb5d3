import type { Contract } from '../../core/api/endpoint.ts';
import { api } from '../../core/api/index.ts';
import { generateApiKey, identifyApiKey } from '../../core/api-keys/api-key.ts';
import { scopes as everyScope, type Scope } from '../../core/api-keys/scopes.ts';
import { examplePayload } from '../../core/links/example-payload.ts';
import { openStores } from '../../core/stores.ts';
import { unique } from './builders.ts';
import { openWholeTable } from './lean-table.ts';
import { type ApiResponse, type RunningStack, tableOf } from './local-stack.ts';

/** A project with a key, and calls that carry it. Every response is checked for the common headers. */
export interface TestProject {
  readonly id: string;
  readonly key: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  keyWith(scopes: readonly Scope[]): Promise<string>;
}

export const storesOf = (stack: RunningStack) => {
  const { endpoint, ...table } = tableOf(stack);
  return openStores(openWholeTable(endpoint, table));
};

/** Creates a project like the admin command, without its start-up time. */
export const newProject = async (
  stack: RunningStack,
  { subscription = 'active', scopes = everyScope }: Partial<ProjectOptions> = {},
): Promise<TestProject> => {
  const stores = storesOf(stack);
  const id = unique('shop');
  const createdAt = new Date().toISOString();
  await stores.projects.create({ id, name: id, subscription, createdAt });
  const keyWith = async (granted: readonly Scope[]) => {
    const key = generateApiKey();
    const identity = identifyApiKey(key);
    if (!identity) throw new Error('A generated key is malformed');
    await stores.apiKeys.create({ ...identity, project: id, scopes: granted, createdBy: 'ann', createdAt });
    return key;
  };
  const key = await keyWith(scopes);
  const call: TestProject['call'] = async (method, path, body, headers = {}) => {
    const answer = await stack.api(method, path, { key, body, headers });
    expectHeaders(answer);
    return answer;
  };
  return { id, key, call, keyWith };
};

interface ProjectOptions {
  readonly subscription: 'active' | 'inactive';
  readonly scopes: readonly Scope[];
}

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Checks the headers that every response of a Lambda has. */
export const expectHeaders = ({ status, headers, text }: ApiResponse): void => {
  const caller = {
    status,
    text,
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    limit: Number(headers.get('x-ratelimit-limit')) > 0,
    remaining: headers.get('x-ratelimit-remaining'),
    reset: headers.get('x-ratelimit-reset'),
    retryAfter: headers.get('retry-after'),
  };
  expect(caller).toEqual({
    status,
    text,
    type: 'application/json',
    cache: 'no-store',
    limit: true,
    remaining: expect.stringMatching(/^\d+$/),
    reset: expect.stringMatching(iso),
    retryAfter: status === 429 ? expect.stringMatching(/^[1-9]\d*$/) : null,
  });
};

export const aTime = expect.stringMatching(iso);
export const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const aMessage = expect.stringMatching(/\S/);

const aFault = { path: expect.any(String), message: aMessage };

export const coded = (code: string, extra: object = {}) => ({
  success: false,
  error: {
    code,
    message: aMessage,
    ...(code === 'VALIDATION_ERROR' && { faults: expect.arrayContaining([aFault]) }),
  },
  ...extra,
});

export const payload = { link: 'https://example.com/landing' };
/** Every section and field that is not the id of a saved app. */
export const fullPayload = examplePayload;
export const iosApp = { platform: 'IOS', name: 'Shop', bundleId: 'com.example.shop' };
export const androidApp = { platform: 'ANDROID', name: 'Shop', packageName: 'com.example.shop' };

/** Creates a link of the project with these fields. */
export const newLink = async ({ call }: TestProject, fields: object = {}) => {
  const { status, body } = await call('POST', '/links', { payload, ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data;
};

export const newApp = async ({ call }: TestProject, fields: object = iosApp) => {
  const { status, body } = await call('POST', '/mobile-apps', fields);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data;
};

/** A request for each operation on one link or app, otherwise valid. */
export const requestOf = (contract: Contract, { code, id }: { code: string; id: string }) => {
  const bodies = new Map<Contract, object>([
    [api.createLink, { payload }],
    [api.createLinks, { links: [{ payload }] }],
    [api.updateLink, { payload }],
    [api.patchLink, { payload }],
    [api.updateLinkStatus, { status: 'PAUSED' }],
    [api.createMobileApp, iosApp],
    [api.updateMobileApp, { name: 'New' }],
  ]);
  const path = contract.path.replace('{code}', code).replace('{id}', id);
  const query = contract === api.getHistory ? `?code=${code}` : '';
  return [contract.method, path + query, bodies.get(contract) ?? contract.example.body] as const;
};

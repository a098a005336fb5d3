import { randomBytes } from 'node:crypto';
import { apiVersion } from '../../core/api/index.ts';
import { makeKey } from '../../core/api-keys/make-key.ts';
import { type Scope, scopes } from '../../core/api-keys/scopes.ts';
import type { AllStores } from '../../core/stores.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import { assignHost, removeHost } from '../hosts/assigned-hosts.ts';
import type { DeployedStack } from './deployed-stack.ts';
import { eventually } from './eventually.ts';
import { purge } from './purge.ts';

export interface SmokeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: checks look into answers whose shape they are about to prove
  readonly json: any;
}

interface Call {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A throwaway project on a deployment, with the public entry points. */
export interface SmokeSession {
  readonly isLocal: boolean;
  /** AWS's data about the deployment; undefined for a local stack. */
  readonly deployed: DeployedStack | undefined;
  /** Pause in seconds before the last visits of short URLs. */
  readonly pauseSeconds: number;
  /** Timeout for AWS in milliseconds: streams take seconds, a plan key a minute or two. */
  readonly timeoutMs: number;
  readonly stores: AllStores;
  readonly hasStandby: boolean;
  readonly project: string;
  readonly shortBase: string;
  /** Base path of the API: the stage, unless the API has a domain. */
  readonly apiPath: string;
  /** Address of the members' console, if any. */
  readonly console: string;
  /** A call of the API below its version, by default with a key of every scope. A string is sent as it is. */
  readonly api: (method: string, path: string, call?: Call) => Promise<SmokeResponse>;
  /** A request to an unchanged address; redirects aren't followed. */
  readonly open: (
    url: string,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ) => Promise<SmokeResponse>;
  readonly createKey: (granted?: readonly Scope[]) => Promise<{ apiKey: string; keyId: string }>;
  /** Assigns a host to the project, as `domain assign` does; resolves to a function that removes it. */
  readonly assignHost: (host: string) => Promise<() => Promise<unknown>>;
  readonly revokeKey: (keyId: string) => Promise<void>;
  /** A code that no other run uses; deleted at the end. */
  readonly newCode: () => string;
  /** Registers another code, so that it is also deleted. */
  readonly knowCode: (code: string) => void;
  /** Polls until the response satisfies; throws with the last one after the timeout. */
  readonly eventually: (
    ask: () => Promise<SmokeResponse>,
    satisfies: (answer: SmokeResponse) => boolean,
  ) => Promise<SmokeResponse>;
  readonly cleanUp: () => Promise<string>;
}

export interface SessionOptions {
  readonly deployed?: DeployedStack | undefined;
  readonly pauseSeconds: number;
  /** @default 180 */
  readonly timeoutSeconds?: number | undefined;
}

export const openSession = async (
  deployment: DeploymentAccess,
  { deployed, pauseSeconds, timeoutSeconds = 180 }: SessionOptions,
): Promise<SmokeSession> => {
  const { stores, shortBase, apiBase } = deployment;
  const project = `smoke-${randomBytes(6).toString('hex')}`;
  await stores.projects.create({
    id: project,
    name: 'Smoke test, to be deleted',
    subscription: 'active',
    createdAt: new Date().toISOString(),
  });
  const keyIds: string[] = [];
  const codes: string[] = [];
  const createKey: SmokeSession['createKey'] = async (granted = scopes) => {
    const { apiKey, keyId } = await makeKey({ project, user: 'smoke', scopes: granted }, stores.apiKeys);
    keyIds.push(keyId);
    return { apiKey, keyId };
  };
  const { apiKey } = await createKey();
  const timeoutMs = timeoutSeconds * 1000;
  const base = new URL(`${apiBase.replace(/\/$/, '')}/${apiVersion}`);
  return {
    isLocal: deployed === undefined,
    deployed,
    pauseSeconds,
    timeoutMs,
    stores,
    hasStandby: deployment.copyKeys !== undefined,
    project,
    shortBase,
    apiPath: base.pathname,
    console: `${apiBase.replace(/\/$/, '')}/console`,
    createKey,
    assignHost: async (host) => {
      await assignHost(deployment, host, { project });
      return () => removeHost(deployment, host);
    },
    revokeKey: async (keyId) => void (await stores.apiKeys.revoke(keyId, new Date())),
    newCode: () => {
      const code = `smoke-${randomBytes(6).toString('hex')}`;
      codes.push(code);
      return code;
    },
    api: (method, path, call = {}) => request(`${base}${path}`, method, withKey(call, apiKey)),
    open: (url, headers = {}, method = 'GET') => request(url, method, { headers }),
    eventually: (ask, satisfies) =>
      eventually(ask, satisfies, { shown: ({ status, text }) => `${status} ${text}`, limitMs: timeoutMs }),
    knowCode: (code) => void codes.push(code),
    cleanUp: async () => {
      // A key that is only deleted stays valid in the gateway's cache.
      for (const keyId of keyIds) await stores.apiKeys.revoke(keyId, new Date());
      return purge(deployment, { project, keyIds, codes });
    },
  };
};

const withKey = ({ headers = {}, ...call }: Call, apiKey: string): Call => {
  const key = 'key' in call ? call.key : apiKey;
  return { ...call, headers: { ...(key !== undefined && { 'X-API-KEY': key }), ...headers } };
};

const request = async (url: string, method: string, { body, headers = {} }: Call): Promise<SmokeResponse> => {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(sent !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
};

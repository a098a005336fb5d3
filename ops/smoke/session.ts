import { randomBytes } from 'node:crypto';
import { apiVersion } from '../../core/api/index.ts';
import { makeKey } from '../../core/api-keys/make-key.ts';
import { type Scope, scopes } from '../../core/api-keys/scopes.ts';

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

export interface SessionOptions {
  /** AWS's data about the deployment; undefined for a local stack. */
  readonly deployed?: DeployedStack | undefined;
  /** Pause in seconds before the last visits of short URLs. */
  readonly pauseSeconds: number;
  /** Timeout for AWS: streams take seconds, a plan key a minute or two. @default 180 */
  readonly timeoutSeconds?: number | undefined;
}

export type SmokeSession = Awaited<ReturnType<typeof openSession>>;

/** Opens a throwaway project on a deployment, with the public entry points. */
export const openSession = async (
  deployment: DeploymentAccess,
  { deployed, pauseSeconds, timeoutSeconds = 180 }: SessionOptions,
) => {
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
  const createKey = async (granted: readonly Scope[] = scopes) => {
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
    /** Base path of the API: the stage, unless the API has a domain. */
    apiPath: base.pathname,
    /** Address of the members' console, if any. */
    console: `${apiBase.replace(/\/$/, '')}/console`,
    createKey,
    /** Assigns a host to the project, as `domain assign` does; resolves to a function that removes it. */
    assignHost: async (host: string) => {
      await assignHost(deployment, host, { project });
      return () => removeHost(deployment, host);
    },
    revokeKey: (keyId: string) => stores.apiKeys.revoke(keyId, new Date()),
    /** A code that no other run uses; deleted at the end. */
    newCode: () => {
      const code = `smoke-${randomBytes(6).toString('hex')}`;
      codes.push(code);
      return code;
    },
    /** A call of the API below its version, by default with a key of every scope. A string is sent as it is. */
    api: (method: string, path: string, call: Call = {}) =>
      request(`${base}${path}`, method, withKey(call, apiKey)),
    /** A request to an unchanged address; redirects aren't followed. */
    open: (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      request(url, method, { headers }),
    /** Polls until the response satisfies; throws with the last one after the timeout. */
    eventually: (ask: () => Promise<SmokeResponse>, satisfies: (answer: SmokeResponse) => boolean) =>
      eventually(ask, satisfies, { shown: ({ status, text }) => `${status} ${text}`, limitMs: timeoutMs }),
    /** Registers another code, so that it is also deleted. */
    knowCode: (code: string) => void codes.push(code),
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

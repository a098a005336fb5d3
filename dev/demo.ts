import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeKey } from '../core/api-keys/make-key.ts';
import { roles } from '../core/members/roles.ts';
import type { Deployment } from '../ops/deployment/deployment.ts';

export const demoProject = 'demo';

/**
 * Creates the demo project with an active subscription, a key with every scope, and the bare short host. Resolves to
 * the key, which stays the same at every start until it is revoked.
 */
export const prepareDemo = async (deployment: Deployment, data: string | undefined): Promise<string> => {
  const { stores, shortBase } = deployment;
  const id = demoProject;
  const createdAt = new Date().toISOString();
  await stores.projects.create({ id, name: 'Demo', subscription: 'active', createdAt });
  await ownHost(deployment, new URL(shortBase).host);
  return (await keptKey(deployment, data)) ?? (await freshKey(deployment, data));
};

/** Assigns the short host, whose port may have changed since the last start; old short URLs no longer work. */
const ownHost = async ({ stores }: Deployment, host: string): Promise<void> => {
  const former = (await stores.domains.list()).filter(
    (domain) => domain.host.startsWith('127.0.0.1:') && domain.host !== host,
  );
  const project = await stores.projects.find(demoProject);
  const primary = former.some((domain) => domain.host === project?.host);
  // First, because an item's key has no port.
  for (const domain of former) await stores.domains.remove(domain);
  await stores.domains.assign({ host, project: demoProject, shared: true, primary });
};

/** Makes one member of each role, once in each project: a removed member stays removed. */
export const prepareMembers = async (
  { stores }: Deployment,
  data: string | undefined,
  project = demoProject,
): Promise<void> => {
  const note = data && path.join(data, project === demoProject ? 'demo-members' : `${project}-members`);
  if (note && (await readFile(note).catch(() => undefined))) return;
  for (const role of roles) {
    await stores.members.add({ email: memberEmail(role), project, role }, new Date());
  }
  if (note) await writeFile(note, 'made\n', { mode: 0o600 });
};

export const memberEmail = (role: (typeof roles)[number]): string => `${role}@example.com`;

const keyFile = (data: string) => path.join(data, 'demo-key');

const keptKey = async ({ stores }: Deployment, data: string | undefined): Promise<string | undefined> => {
  const apiKey = data && (await readFile(keyFile(data), 'utf8').catch(() => undefined));
  return apiKey && (await stores.apiKeys.get(apiKey)) ? apiKey : undefined;
};

const freshKey = async ({ stores }: Deployment, data: string | undefined): Promise<string> => {
  const { apiKey } = await makeKey({ project: demoProject, user: 'demo' }, stores.apiKeys);
  if (data) await writeFile(keyFile(data), apiKey, { mode: 0o600 });
  return apiKey;
};

import { type ApiKey, identifyApiKey, keyIdShape } from '../../core/api-keys/api-key.ts';
import { type KeyDraft, makeKey } from '../../core/api-keys/make-key.ts';
import { rateWindow } from '../../core/api-keys/rate-store.ts';
import { identifyMemberKey } from '../../core/members/member.ts';
import { OperatorError, refusing, UsageError } from '../base/operator-error.ts';
import type { Deployment, DeploymentAccess } from '../deployment/deployment.ts';
import { noteTakedown } from '../deployment/takedown-record.ts';
import { findProject } from './projects.ts';
import { hideLinksOf, isShareKey, showShareKeys } from './share-keys.ts';

/**
 * Creates a key, which is shown only now. Throws OperatorError if there is no such project, or for an invalid user name.
 */
export const createKey = (deployment: Deployment, draft: KeyDraft) =>
  refusing(async () => {
    await findProject(deployment, draft.project);
    const { keyId, apiKey, project, scopes, createdBy } = await makeKey(draft, deployment.stores.apiKeys);
    return { keyId, apiKey, project, scopes, createdBy };
  });

/** A project's keys, the oldest first. Throws OperatorError if there is no such project. */
export const listKeys = async (deployment: Deployment, id: string) => {
  const project = await findProject(deployment, id);
  const keys = await deployment.stores.apiKeys.list(id);
  const shared = await showShareKeys(deployment, project, keys.filter(isShareKey));
  const shownById = new Map(shared.map((key) => [key.keyId, key]));
  return keys.map((key) => shownById.get(key.keyId) ?? { ...show(key), kind: 'secret' as const });
};

/**
 * A project's keys with their calls of this hour and the one before. The hourly limit is absent if the API can't be
 * called. Throws OperatorError if there is no such project.
 */
export const callsOfProject = async (deployment: DeploymentAccess, project: string, now: Date) => {
  const keys = await listKeys(deployment, project);
  const [recent, limit] = await Promise.all([
    deployment.stores.rates.recent(
      keys.map(({ keyId }) => keyId),
      now,
    ),
    hourlyLimit(deployment.apiBase),
  ]);
  return {
    keys: keys.map((key, i) => ({ ...key, ...(recent[i] ?? { thisHour: 0, lastHour: 0 }) })),
    ...(limit !== undefined && { limit }),
    resetAt: rateWindow(now).resetAt.toISOString(),
  };
};

const timeoutMs = 3000;

/** The hourly limit, which every API response has, also one to a call without a key. */
const hourlyLimit = async (apiBase: string): Promise<number | undefined> => {
  const answer = await fetch(`${apiBase}/1.0/usage`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  return Number(answer?.headers.get('x-ratelimit-limit')) || undefined;
};

/**
 * Revokes a key at once, by its id or by the key itself; with `withLinks`, the links of a publishable key lead nowhere
 * within a minute. Throws OperatorError if there is no such key.
 */
export const revokeKey = async (deployment: Deployment, text: string, { withLinks = false } = {}) => {
  const given = text.trim();
  const keyId = (identifyApiKey(given) ?? identifyMemberKey(given))?.keyId ?? given;
  // The input may be a secret: never repeat it.
  if (!keyIdShape.test(keyId)) throw new UsageError('Not a key or key id: key list shows ids');
  // First of all, so that a secret key isn't revoked by a wrong command.
  if (withLinks) await hideLinksOf(deployment, keyId);
  const now = new Date();
  const key =
    (await deployment.stores.apiKeys.revoke(keyId, now)) ?? (await revokeMemberKey(deployment, keyId, now));
  if (!key) throw new OperatorError(`There is no key ${keyId}`);
  await noteTakedown(deployment, { act: 'key revoke', at: now.toISOString(), keyId });
  return show(key);
};

/** Revokes a member's key; returns it in the form of other keys. */
const revokeMemberKey = async ({ stores }: Deployment, keyId: string, now: Date) => {
  const key = await stores.members.revokeKey(keyId, now);
  return key && { ...key, createdBy: key.member, scopes: [] };
};

/** A key as operators see it: without anything that lets them use or guess it. */
const show = (key: ApiKey) => {
  const { keyId, project, scopes, createdBy, createdAt, lastFour, lastUsedOn, revokedAt } = key;
  return { keyId, project, scopes, createdBy, createdAt, lastFour, lastUsedOn, revokedAt };
};

import type { ApiKey } from '../../core/api-keys/api-key.ts';
import { Failure } from '../../core/base/failure.ts';
import { serviceHosts } from '../../core/projects/project.ts';
import type { StoredProject } from '../../core/projects/project-store.ts';
import { changeShareKey, makeShareKey, shareProblem } from '../../core/share-links/share-keys.ts';
import { readShareTemplate } from '../../core/share-links/share-template-schema.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { noteTakedown } from '../deployment/takedown-record.ts';
import { findProject } from './projects.ts';

/** The time of a call, and the service's own hosts. */
const callAt = ({ shortBase, shortHosts }: Deployment, now = new Date()) => ({
  now,
  shortHosts: serviceHosts(shortBase, shortHosts),
});

/** A template as it was given. Throws UsageError with every fault. */
export const checkedTemplate = (template: unknown): unknown => {
  try {
    readShareTemplate(template);
    return template;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const faults = error.faults.map(({ field, message }) => `${field || 'template'}: ${message}`);
    throw new UsageError(faults.join('; '));
  }
};

type ShareKey = ApiKey & Required<Pick<ApiKey, 'share'>>;

export const isShareKey = (key: ApiKey): key is ShareKey => key.share !== undefined;

/**
 * Publishable keys as operators see them, in order: with the key itself, which is no secret, its template as it was
 * given, the number of links that it has made, and the reason why it can't make one now, or null.
 */
export const showShareKeys = async (
  deployment: Deployment,
  project: StoredProject,
  keys: readonly ShareKey[],
) => {
  const { stores } = deployment;
  const call = callAt(deployment);
  const made = await stores.shareLinks.made(
    project.id,
    keys.map(({ keyId }) => keyId),
  );
  return Promise.all(
    keys.map(async (key, place) => {
      const count = made[place] ?? 0;
      const { keyId, createdBy, createdAt, lastUsedOn, revokedAt, share } = key;
      const { apiKey } = share;
      const problem =
        revokedAt === undefined
          ? await shareProblem(key, { ...call, project, made: count }, stores)
          : 'The key is revoked';
      return {
        ...{ keyId, kind: 'publishable' as const, project: project.id, apiKey, createdBy, createdAt },
        ...{ lastUsedOn, revokedAt },
        ...{ template: JSON.parse(share.template) as object, made: count, problem: problem ?? null },
      };
    }),
  );
};

/** Creates a publishable key. Throws OperatorError if there is no such project, and the API's failures. */
export const createShareKey = async (deployment: Deployment, id: string, template: unknown) => {
  const project = await findProject(deployment, id);
  const call = { ...callAt(deployment), project: id, createdBy: 'admin' };
  return shownOne(deployment, project, await makeShareKey(template, call, deployment.stores));
};

const shownOne = async (deployment: Deployment, project: StoredProject, key: ApiKey) => {
  const [shown] = await showShareKeys(deployment, project, [key].filter(isShareKey));
  if (!shown) throw new OperatorError(`The key ${key.keyId} is not a publishable key`);
  return shown;
};

/** A publishable key by its id. Throws OperatorError if there is none, and UsageError for another kind of key. */
const findShareKey = async ({ stores }: Deployment, keyId: string): Promise<ShareKey> => {
  const key = (await stores.apiKeys.find(keyId)) ?? (await stores.members.findKey(keyId));
  if (!key) throw new OperatorError(`There is no key ${keyId}`);
  if ('createdBy' in key && isShareKey(key)) return key;
  const kind = 'createdBy' in key ? 'secret' : "member's";
  throw new UsageError(`The key ${keyId} is a ${kind} key: only publishable keys have a template and links`);
};

/** Replaces a key's template within 65 seconds. Throws like `createShareKey`. */
export const updateShareKey = async (deployment: Deployment, keyId: string, template: unknown) => {
  const key = await findShareKey(deployment, keyId);
  const project = await findProject(deployment, key.project);
  const call = { ...callAt(deployment), project: key.project };
  const isChanged = await changeShareKey(key, template, call, deployment.stores);
  if (!isChanged) throw new OperatorError(`The key ${keyId} is revoked`);
  return shownOne(deployment, project, await findShareKey(deployment, keyId));
};

/** Hides the links of a publishable key from visitors, within a minute. Throws OperatorError or UsageError. */
export const hideLinksOf = async (deployment: Deployment, keyId: string): Promise<void> => {
  await findShareKey(deployment, keyId);
  const now = new Date();
  await deployment.stores.destinations.block(keyId, now);
  await noteTakedown(deployment, { act: 'destination block', at: now.toISOString(), host: keyId });
};

/** Ends `hideLinksOf`; links that were blocked one by one stay blocked. */
export const restoreLinksOf = async (deployment: Deployment, keyId: string) => {
  const key = await findShareKey(deployment, keyId);
  const project = await findProject(deployment, key.project);
  const wasHidden = await deployment.stores.destinations.unblock(keyId);
  await noteTakedown(deployment, { act: 'destination unblock', at: new Date().toISOString(), host: keyId });
  if (!wasHidden) throw new OperatorError(`The links of the key ${keyId} are not blocked`);
  return shownOne(deployment, project, key);
};

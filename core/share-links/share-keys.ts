import { type ApiKey, generatePublishableKey, identifyKey } from '../api-keys/api-key.ts';
import type { apiKeyStore } from '../api-keys/api-key-store.ts';
import { Failure } from '../base/failure.ts';
import { failure, failureMessage } from '../base/messages.ts';
import { checkReferences, type LookupStores, lookUpReferences } from '../links/link-draft.ts';
import type { tagStore } from '../links/link-tags.ts';
import { refuseManyTags } from '../links/link-tags.ts';
import type { StoredProject } from '../projects/project-store.ts';
import { shareLimits } from './share-limits.ts';
import type { shareLinkStore } from './share-link-store.ts';
import type { ShareTemplate } from './share-template.ts';
import { readShareTemplate } from './share-template-schema.ts';

interface KeyStores extends LookupStores {
  readonly apiKeys: Pick<ReturnType<typeof apiKeyStore>, 'changeTemplate' | 'createShared'>;
  readonly shareLinks: Pick<ReturnType<typeof shareLinkStore>, 'made'>;
  readonly tags: Pick<ReturnType<typeof tagStore>, 'list' | 'note'>;
}

export interface KeyCall {
  readonly project: string;
  readonly now: Date;
  readonly shortHosts: readonly string[];
}

/** Checks a template as an operator wrote it, and gives its tags to the project. Throws VALIDATION_ERROR. */
const acceptTemplate = async (given: unknown, call: KeyCall, stores: KeyStores): Promise<ShareTemplate> => {
  const template = readShareTemplate(given);
  await checkPayload(template, call, stores);
  const known = new Set(await stores.tags.list(call.project));
  refuseManyTags(template.tags, known);
  for (const tag of template.tags) if (!known.has(tag)) await stores.tags.note(call.project, tag);
  return template;
};

const checkPayload = async (
  { payload }: ShareTemplate,
  { project, ...call }: KeyCall,
  stores: LookupStores,
): Promise<void> =>
  checkReferences(
    { payload },
    await lookUpReferences([{ payload }], { ...call, caller: { project } }, stores),
  );

/**
 * Creates a publishable key with a template. Throws VALIDATION_ERROR with every fault of the template, and
 * LIMIT_REACHED if the project has as many keys as it may.
 */
export const makeShareKey = async (
  given: unknown,
  { createdBy, ...call }: KeyCall & { readonly createdBy: string },
  stores: KeyStores,
): Promise<ApiKey> => {
  const { perHour } = await acceptTemplate(given, call, stores);
  const apiKey = generatePublishableKey();
  const key: ApiKey = {
    ...identifyKey(apiKey),
    ...{ project: call.project, scopes: [], createdBy, createdAt: call.now.toISOString() },
    share: { apiKey, template: JSON.stringify(given), perHour },
  };
  const limit = shareLimits.keysPerProject;
  if (!(await stores.apiKeys.createShared(key, limit))) throw failure('tooManyShareKeys', { limit });
  return key;
};

/** Replaces the template of a publishable key; its links stay. Throws VALIDATION_ERROR. */
export const changeShareKey = async (
  { keyId, share }: ApiKey & Required<Pick<ApiKey, 'share'>>,
  given: unknown,
  call: KeyCall,
  stores: KeyStores,
): Promise<boolean> => {
  const { perHour } = await acceptTemplate(given, call, stores);
  return stores.apiKeys.changeTemplate(keyId, { ...share, template: JSON.stringify(given), perHour });
};

/** Why a key's template can't make a link now; undefined if it can. */
export const shareProblem = async (
  { share }: Required<Pick<ApiKey, 'share'>>,
  {
    project,
    made,
    ...call
  }: Omit<KeyCall, 'project'> & { readonly project: StoredProject; readonly made: number },
  stores: LookupStores,
): Promise<string | undefined> => {
  if (project.suspendedAt !== undefined) return failureMessage('suspended');
  if (project.subscription !== 'active') return failureMessage('noSubscription');
  try {
    // An earlier version may have accepted what this one doesn't.
    const template = readShareTemplate(JSON.parse(share.template));
    const { maxLinks } = template;
    if (made >= maxLinks) return failureMessage('tooManyShareLinks', { limit: maxLinks });
    await checkPayload(template, { ...call, project: project.id }, stores);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
};

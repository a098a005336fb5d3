import { requireName } from '../base/display-name.ts';
import { type ApiKey, generateApiKey, identifyKey } from './api-key.ts';
import type { apiKeyStore } from './api-key-store.ts';
import { type Scope, scopes } from './scopes.ts';

export interface KeyDraft {
  readonly project: string;
  /** The creator of the key's links; by default admin. */
  readonly user?: string | undefined;
  /** By default every scope. */
  readonly scopes?: readonly Scope[] | undefined;
}

/**
 * Creates a secret key of a project that exists. The key itself is in no other response. Throws VALIDATION_ERROR for an
 * invalid user name.
 */
export const makeKey = async (
  { project, user = 'admin', scopes: granted = scopes }: KeyDraft,
  apiKeys: Pick<ReturnType<typeof apiKeyStore>, 'create'>,
  now = new Date(),
): Promise<ApiKey & { readonly apiKey: string }> => {
  requireName(user, "The key's user");
  const apiKey = generateApiKey();
  const key: ApiKey = {
    ...identifyKey(apiKey),
    project,
    scopes: granted,
    createdBy: user,
    createdAt: now.toISOString(),
    lastFour: apiKey.slice(-4),
  };
  await apiKeys.create(key);
  return { ...key, apiKey };
};

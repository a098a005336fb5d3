import { contentOf } from '../table/content.ts';
import { apiKeyKey, apiKeyListing, keyUseKey, listings, shareKeysKey } from '../table/keys.ts';
import { listedUnder } from '../table/ranges.ts';
import { met, putIfFree, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew, updateOf, updateWhen } from '../table/update.ts';
import type { ApiKey, Publishable } from './api-key.ts';
import { keyAdmission } from './key-admission.ts';
import { rateStore } from './rate-store.ts';

const listed = (key: ApiKey) => ({ ...apiKeyListing(key.project, key.createdAt, key.keyId), ...key });

export const apiKeyStore = (table: Table) => ({
  ...keyAdmission(table),

  async create(key: ApiKey): Promise<void> {
    const item = { ...apiKeyKey(key.keyId), ...listed(key) };
    if (!(await putIfFree(table, item))) throw new Error(`There is a key ${key.keyId} already`);
  },

  /**
   * Creates a publishable key. False if the project has `most` that aren't revoked. They are read by a set of ids,
   * because the index may miss new keys; a concurrent creation changes the set, and this call counts again.
   */
  createShared: (key: ApiKey, most: number): Promise<boolean> =>
    untilMet(async () => {
      const Key = shareKeysKey(key.project);
      const seen = (await table.get(Key))?.keyIds as ReadonlySet<string> | undefined;
      const known = seen ? await table.batchGet([...seen].map(apiKeyKey)) : [];
      const living = known.flatMap(({ keyId, revokedAt }) =>
        revokedAt === undefined ? [String(keyId)] : [],
      );
      if (living.length >= most) return false;
      const Item = { ...Key, keyIds: new Set([...living, key.keyId]) };
      const asSeen = seen
        ? conditionOf('#keyIds = :seen', { seen })
        : conditionOf('attribute_not_exists(#PK)');
      await table.transact([putNew(apiKeyKey(key.keyId), listed(key)), { Put: { Item, ...asSeen } }]);
      return true;
    }),

  /** A key, revoked or not. */
  async find(keyId: string): Promise<ApiKey | undefined> {
    const item = await table.get(apiKeyKey(keyId));
    return item && contentOf<ApiKey>(item);
  },

  async list(project: string): Promise<ApiKey[]> {
    const items = await table.query(listedUnder(listings.keysOf(project)));
    const keys = items.map(contentOf<ApiKey>);
    const uses = keys.length > 0 ? await table.batchGet(keys.map(({ keyId }) => keyUseKey(keyId))) : [];
    const days = new Map(uses.map(({ PK, lastUsedOn }) => [PK, String(lastUsedOn)]));
    return keys.map((key) => ({ ...key, lastUsedOn: days.get(keyUseKey(key.keyId).PK) }));
  },

  /** Replaces the template of a publishable key. False if there is none that isn't revoked. */
  changeTemplate: (keyId: string, share: Publishable): Promise<boolean> =>
    updateWhen(table, apiKeyKey(keyId), {
      set: { share },
      when: 'attribute_exists(#share) AND attribute_not_exists(#revokedAt)',
    }),

  /**
   * Revokes a key at once. Its rate windows are also marked, because the gateway's cache may admit the key for a
   * minute. Undefined if there is no such key; a repeated call changes nothing.
   */
  async revoke(keyId: string, now: Date): Promise<ApiKey | undefined> {
    const key = apiKeyKey(keyId);
    const revoking = { first: { revokedAt: now.toISOString() }, when: 'attribute_exists(#PK)' };
    const known = await met(
      table.transact([{ Update: updateOf(key, revoking) }, ...rateStore(table).closing({ keyId }, now)]),
    );
    const item = known ? await table.get(key) : undefined;
    return item && contentOf<ApiKey>(item);
  },

  /** Deletes a revoked key. False for an active one: cached authorizations would still admit it. */
  remove: (keyId: string): Promise<boolean> =>
    met(
      table.transact([
        { Delete: { Key: apiKeyKey(keyId), ConditionExpression: 'attribute_exists(revokedAt)' } },
        { Delete: { Key: keyUseKey(keyId) } },
      ]),
    ),
});

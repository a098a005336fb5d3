import { timingSafeEqual } from 'node:crypto';
import { Bounded } from '../base/bounded.ts';
import { contentOf } from '../table/content.ts';
import { apiKeyKey, keyUseKey } from '../table/keys.ts';
import type { ReadsAndUpdates } from '../table/table.ts';
import { updateWhen } from '../table/update.ts';
import { type ApiKey, identifyApiKey } from './api-key.ts';

/** The most keys whose last use is cached. */
const keysNoted = 10_000;

/** API keys for the authorizer, with a small bundle. */
export const keyAdmission = (table: Pick<ReadsAndUpdates, 'get' | 'update'>) => {
  const noted = new Bounded<string>(keysNoted);
  return {
    /** A valid key; undefined if it is malformed, unknown or revoked. */
    async get(apiKey: string): Promise<ApiKey | undefined> {
      const identity = identifyApiKey(apiKey);
      const item = identity && (await table.get(apiKeyKey(identity.keyId)));
      if (!identity || !item) return undefined;
      const key = contentOf<ApiKey>(item);
      const same = timingSafeEqual(Buffer.from(key.hash), Buffer.from(identity.hash));
      return same && key.revokedAt === undefined ? key : undefined;
    },

    /**
     * Stores the day of a key's last use, once a day per key and store. It has its own item, so that the role that
     * writes it can't write keys.
     */
    async markUsed({ keyId }: Pick<ApiKey, 'keyId'>, now: Date): Promise<void> {
      const day = now.toISOString().slice(0, 10);
      if ((noted.get(keyId) ?? '') >= day) return;
      await updateWhen(table, keyUseKey(keyId), {
        set: { lastUsedOn: day },
        when: 'attribute_not_exists(#lastUsedOn) OR #lastUsedOn < :lastUsedOn',
      });
      noted.set(keyId, day);
    },
  };
};

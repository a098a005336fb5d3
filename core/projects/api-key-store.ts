import { timingSafeEqual } from 'node:crypto';
import { apiKeyKey, apiKeyListing, keyUseKey, rateKey, tableSchema } from '../table/keys.ts';
import { type Item, met, stored, type Table } from '../table/table.ts';
import { type ApiKey, identifyApiKey } from './api-key.ts';
import { rateWindow } from './rate-window.ts';

const fromItem = ({ PK, SK, LPK, LSK, ...key }: Item) => key as unknown as ApiKey;

/** Longer than the authorizer's answers are cached, so that no cached answer outlives the marks of a revocation. */
const markedHours = 2;

/** Keys remembered as noted today, at most. */
const keysNoted = 10_000;

export const apiKeyStore = (table: Table) => {
  const noted = new Map<string, string>();
  return {
    /** A usable key; undefined if it is malformed, unknown or revoked. */
    async get(apiKey: string): Promise<ApiKey | undefined> {
      const identity = identifyApiKey(apiKey);
      const item = identity && (await table.get(apiKeyKey(identity.keyId)));
      if (!identity || !item) return undefined;
      const key = fromItem(item);
      const same = timingSafeEqual(Buffer.from(key.hash), Buffer.from(identity.hash));
      return same && key.revokedAt === undefined ? key : undefined;
    },

    /**
     * Stores the day of a key's last use, once a day per key and store. It is an item beside the key, so that
     * the role that writes it can't write keys.
     */
    async markUsed({ keyId }: Pick<ApiKey, 'keyId'>, now: Date): Promise<void> {
      const day = now.toISOString().slice(0, 10);
      if ((noted.get(keyId) ?? '') >= day) return;
      await met(
        table.update({
          Key: keyUseKey(keyId),
          UpdateExpression: 'SET lastUsedOn = :day',
          ConditionExpression: 'attribute_not_exists(lastUsedOn) OR lastUsedOn < :day',
          ExpressionAttributeValues: { ':day': day },
        }),
      );
      if (noted.size >= keysNoted) noted.clear();
      noted.set(keyId, day);
    },

    async create(key: ApiKey): Promise<void> {
      const item = {
        ...apiKeyKey(key.keyId),
        ...apiKeyListing(key.project, key.createdAt, key.keyId),
        ...key,
      };
      if (!(await stored(table, item))) throw new Error(`There is a key ${key.keyId} already`);
    },

    async list(project: string): Promise<ApiKey[]> {
      const { name, partitionKey } = tableSchema.listings;
      const items = await table.query({
        IndexName: name,
        KeyConditionExpression: `${partitionKey} = :project`,
        ExpressionAttributeValues: { ':project': apiKeyListing(project, '', '').LPK },
      });
      const keys = items.map(fromItem);
      const uses = keys.length > 0 ? await table.batchGet(keys.map(({ keyId }) => keyUseKey(keyId))) : [];
      const days = new Map(uses.map(({ PK, lastUsedOn }) => [PK, String(lastUsedOn)]));
      return keys.map((key) => {
        const lastUsedOn = days.get(keyUseKey(key.keyId).PK);
        return lastUsedOn === undefined ? key : { ...key, lastUsedOn };
      });
    },

    /**
     * Revokes a key at once. Its rate windows are marked, too, because the gateway may admit the key from its
     * cache for a minute. Undefined if there is no such key; revoking again changes nothing.
     */
    async revoke(keyId: string, now: Date): Promise<ApiKey | undefined> {
      const key = apiKeyKey(keyId);
      const known = await met(
        table.transact([
          {
            Update: {
              Key: key,
              UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
              ConditionExpression: 'attribute_exists(PK)',
              ExpressionAttributeValues: { ':now': now.toISOString() },
            },
          },
          ...windowsFrom(now).map(({ hour, endSeconds }) => ({
            Update: {
              Key: rateKey(keyId, hour),
              UpdateExpression: 'SET revoked = :true, #ttl = :ttl',
              ExpressionAttributeNames: { '#ttl': tableSchema.ttl },
              ExpressionAttributeValues: { ':true': true, ':ttl': endSeconds + 3600 },
            },
          })),
        ]),
      );
      const item = known ? await table.get(key) : undefined;
      return item && fromItem(item);
    },

    /** Takes a revoked key out of the table. One that is in use stays: a cached answer would go on admitting it. */
    remove: (keyId: string): Promise<boolean> =>
      met(
        table.transact([
          { Delete: { Key: apiKeyKey(keyId), ConditionExpression: 'attribute_exists(revokedAt)' } },
          { Delete: { Key: keyUseKey(keyId) } },
        ]),
      ),
  };
};

const windowsFrom = (now: Date) =>
  Array.from({ length: markedHours }, (_, later) => rateWindow(new Date(now.getTime() + later * 3_600_000)));

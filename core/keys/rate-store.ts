import { randomBytes } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import { failureMessage, invalidApiKey } from '../base/messages.ts';
import { rateKey, tableSchema } from '../table/keys.ts';
import { ConditionFailed, type Table } from '../table/table.ts';
import { rateWindow } from './rate-window.ts';

/** A key's use of its hour. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly resetAt: Date;
}

export class RateLimitExceeded extends Failure {
  readonly quota: Quota;

  constructor(quota: Quota) {
    super('RATE_LIMIT_EXCEEDED', failureMessage('hourUsedUp', { limit: quota.limit }));
    this.quota = quota;
  }
}

/**
 * A window remembers marks of its latest calls, each in a random slot. A retried write whose first response was lost
 * finds its own mark and isn't counted again.
 */
const slots = 32;

const drawMark = () => {
  const bytes = randomBytes(7);
  return { slot: `c${(bytes[0] ?? 0) % slots}`, mark: bytes.toString('base64url', 1) };
};

/** Calls of a key that were counted. Older hours are forgotten. */
export interface RecentCalls {
  readonly thisHour: number;
  readonly lastHour: number;
}

export const rateStore = (table: Table) => ({
  /** The calls of keys in this hour and the one before, in the keys' order. */
  async recent(keyIds: readonly string[], now: Date): Promise<RecentCalls[]> {
    const { hour } = rateWindow(now);
    const keys = keyIds.flatMap((keyId) => [rateKey(keyId, hour), rateKey(keyId, hour - 1)]);
    const windows = new Map((await table.batchGet(keys)).map(({ PK, n }) => [PK, Number(n ?? 0)]));
    const calls = (keyId: string, at: number) => windows.get(rateKey(keyId, at).PK) ?? 0;
    return keyIds.map((keyId) => ({ thisHour: calls(keyId, hour), lastHour: calls(keyId, hour - 1) }));
  },

  /** A key's use of its hour, without counting a call. Throws INVALID_API_KEY for a revoked key. */
  async peek(keyId: string, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt } = rateWindow(now);
    const window = await table.get(rateKey(keyId, hour));
    if (window?.revoked) throw invalidApiKey();
    return { limit, used: Math.min(limit, Number(window?.n ?? 0)), resetAt };
  },

  /**
   * Counts a request in its key's hour. Throws RateLimitExceeded when the hour is used up and INVALID_API_KEY
   * when the key was revoked, which a cached authorization may not know yet.
   */
  async take(keyId: string, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt, endSeconds } = rateWindow(now);
    const { slot, mark } = drawMark();
    try {
      const { n } = await table.update({
        Key: rateKey(keyId, hour),
        UpdateExpression: 'ADD n :one SET #slot = :mark, #ttl = if_not_exists(#ttl, :ttl)',
        ConditionExpression:
          'attribute_not_exists(revoked) AND (attribute_not_exists(n) OR n < :limit) AND (attribute_not_exists(#slot) OR #slot <> :mark)',
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl, '#slot': slot },
        ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':mark': mark, ':ttl': endSeconds + 3600 },
        ReturnValues: 'UPDATED_NEW',
      });
      return { limit, used: Number(n), resetAt };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.item?.revoked) throw invalidApiKey();
      if (error.item?.[slot] === mark) return { limit, used: Number(error.item.n), resetAt };
      throw new RateLimitExceeded({ limit, used: limit, resetAt });
    }
  },
});

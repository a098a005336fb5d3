import { randomBytes } from 'node:crypto';
import { hourMs } from '../base/durations.ts';
import { Failure } from '../base/failure.ts';
import { failureMessage, invalidApiKey } from '../base/messages.ts';
import { rateKey, tableSchema } from '../table/keys.ts';
import { ConditionFailed, type Item, type Part, type Table } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import type { Caller } from './caller.ts';
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

/** A key, and what its calls are counted under if it shares its hour. */
type Counted = Pick<Caller, 'keyId' | 'counter'>;

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
  async peek({ keyId, counter }: Counted, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt } = rateWindow(now);
    const window = await table.get(rateKey(counter ?? keyId, hour));
    if (isClosed(window, keyId)) throw invalidApiKey();
    return { limit, used: Math.min(limit, Number(window?.n ?? 0)), resetAt };
  },

  /**
   * Counts a request in its key's hour. Throws RateLimitExceeded when the hour is used up and INVALID_API_KEY
   * when the key was revoked, which a cached authorization may not know yet.
   */
  async take({ keyId, counter }: Counted, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt, endSeconds } = rateWindow(now);
    const { slot, mark } = drawMark();
    const isShared = counter !== undefined;
    try {
      const { n } = await table.update({
        Key: rateKey(counter ?? keyId, hour),
        UpdateExpression: 'ADD n :one SET #slot = :mark, #ttl = if_not_exists(#ttl, :ttl)',
        ConditionExpression: `attribute_not_exists(revoked) AND (attribute_not_exists(n) OR n < :limit) AND (attribute_not_exists(#slot) OR #slot <> :mark)${isShared ? ' AND NOT contains(revokedKeys, :key)' : ''}`,
        ExpressionAttributeNames: { '#ttl': tableSchema.ttl, '#slot': slot },
        ExpressionAttributeValues: {
          ':one': 1,
          ':limit': limit,
          ':mark': mark,
          ':ttl': endSeconds + 3600,
          ...(isShared && { ':key': keyId }),
        },
        ReturnValues: 'UPDATED_NEW',
      });
      return { limit, used: Number(n), resetAt };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (isClosed(error.item, keyId)) throw invalidApiKey();
      if (error.item?.[slot] === mark) return { limit, used: Number(error.item.n), resetAt };
      throw new RateLimitExceeded({ limit, used: limit, resetAt });
    }
  },

  /**
   * The writes that refuse what the gateway may still admit from its cache: a key, all that is counted under one name, or
   * one key of these.
   */
  closing: ({ keyId, counter }: Partial<Counted>, now: Date): Part[] =>
    Array.from({ length: markedHours }, (_, later) => {
      const { hour, endSeconds } = rateWindow(new Date(now.getTime() + later * hourMs));
      const isOne = keyId !== undefined && counter !== undefined;
      return {
        Update: updateOf(rateKey(counter ?? keyId ?? '', hour), {
          set: { [tableSchema.ttl]: endSeconds + 3600, ...(!isOne && { revoked: true }) },
          ...(isOne && { add: { revokedKeys: new Set([keyId]) } }),
        }),
      };
    }),
});

/** Longer than the authorizer's answers are cached, so that no cached answer outlives the marks of a revocation. */
const markedHours = 2;

const isClosed = (window: Item | undefined, keyId: string): boolean =>
  Boolean(window?.revoked) || ((window?.revokedKeys ?? new Set()) as ReadonlySet<string>).has(keyId);

import { hourMs } from '../base/durations.ts';
import { Failure } from '../base/failure.ts';
import { failureMessage, invalidApiKey } from '../base/messages.ts';
import { rateKey, tableSchema } from '../table/keys.ts';
import { ConditionFailed, type Item, type Part, type Table } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import type { Caller } from './caller.ts';

/** The hour (UTC, since the epoch) in which a request counts, with its end. */
export const rateWindow = (now: Date) => {
  const hour = Math.floor(now.getTime() / hourMs);
  const end = (hour + 1) * hourMs;
  return { hour, resetAt: new Date(end), endSeconds: end / 1000 };
};

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

/** A key, with its counter if it shares one. */
type Counted = Pick<Caller, 'keyId' | 'counter'>;

export const rateStore = (table: Table) => ({
  /** Calls of keys in this hour and the one before, in the keys' order. Older hours have expired. */
  async recent(keyIds: readonly string[], now: Date) {
    const { hour } = rateWindow(now);
    const keys = keyIds.flatMap((keyId) => [rateKey(keyId, hour), rateKey(keyId, hour - 1)]);
    const windows = new Map((await table.batchGet(keys)).map(({ PK, n }) => [PK, Number(n ?? 0)]));
    const calls = (keyId: string, at: number) => windows.get(rateKey(keyId, at).PK) ?? 0;
    return keyIds.map((keyId) => ({ thisHour: calls(keyId, hour), lastHour: calls(keyId, hour - 1) }));
  },

  /** A key's quota, without counting a call. Throws INVALID_API_KEY for a revoked key. */
  async peek({ keyId, counter }: Counted, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt } = rateWindow(now);
    const window = await table.get(rateKey(counter ?? keyId, hour));
    if (isClosed(window, keyId)) throw invalidApiKey();
    return { limit, used: Math.min(limit, Number(window?.n ?? 0)), resetAt };
  },

  /**
   * Counts a request; one whose response was lost may count twice. Throws RateLimitExceeded if the hour is used up, and
   * INVALID_API_KEY if the key was revoked while its authorization is still cached.
   */
  async take({ keyId, counter }: Counted, now: Date, limit: number): Promise<Quota> {
    const { hour, resetAt, endSeconds } = rateWindow(now);
    const counting = updateOf(rateKey(counter ?? keyId, hour), {
      add: { n: 1 },
      first: { [tableSchema.ttl]: endSeconds + 3600 },
      when: 'attribute_not_exists(#revoked) AND (attribute_not_exists(#n) OR #n < :limit) AND NOT contains(#revokedKeys, :keyId)',
      values: { limit, keyId },
    });
    try {
      const { n } = await table.update({ ...counting, ReturnValues: 'UPDATED_NEW' });
      return { limit, used: Number(n), resetAt };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (isClosed(error.item, keyId)) throw invalidApiKey();
      throw new RateLimitExceeded({ limit, used: limit, resetAt });
    }
  },

  /** Writes that reject keys which the gateway's cache may still admit: one key, all keys of a counter, or one of these. */
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

/** Hours that a revocation marks. They last longer than cached authorizations. */
const markedHours = 2;

const isClosed = (window: Item | undefined, keyId: string): boolean =>
  Boolean(window?.revoked) || ((window?.revokedKeys ?? new Set()) as ReadonlySet<string>).has(keyId);

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../../core/api/endpoint.ts';
import type { Caller } from '../../core/api-keys/caller.ts';
import { type Quota, RateLimitExceeded, rateStore, rateWindow } from '../../core/api-keys/rate-store.ts';
import type { Scope } from '../../core/api-keys/scopes.ts';
import type { Bounded } from '../../core/base/bounded.ts';
import { Failure } from '../../core/base/failure.ts';
import { failure, invalidApiKey } from '../../core/base/messages.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import type { Table } from '../../core/table/table.ts';
import { countMetric } from './log.ts';

/** The hour in which a request counts. */
export interface Hour {
  readonly now: Date;
  /** The most requests of a key in an hour. */
  readonly limit: number;
}

export const callerOf = ({ requestContext }: APIGatewayProxyEvent): Caller => {
  const { project, keyId, scopes, user, counter, expiresAt, perHour } = requestContext.authorizer ?? {};
  if (typeof project !== 'string' || typeof keyId !== 'string') throw invalidApiKey();
  // The gateway's cache may admit a key for a minute after its expiry.
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) throw invalidApiKey();
  return {
    ...{ project, keyId, scopes: String(scopes).split(' '), user: String(user), counter },
    ...(perHour !== undefined && { perHour: Number(perHour) }),
  };
};

/** Throws INSUFFICIENT_PERMISSIONS for a publishable key elsewhere, and for a secret key where it would be published. */
export const requireKind = ({ perHour }: Caller, { publishable }: Contract): void => {
  if (Boolean(publishable) === (perHour !== undefined)) return;
  throw failure(publishable ? 'secretKey' : 'publishableKey');
};

/** Throws INSUFFICIENT_PERMISSIONS unless the caller's key has the scope. */
export const requireScope = ({ scopes }: Caller, scope: Scope): void => {
  if (scopes.includes(scope)) return;
  throw failure('missingScope', { scope });
};

/** The table that counts calls, and a cache of keys that are rejected until their hour ends. */
export interface Counters {
  readonly table: Table;
  readonly refused: Bounded<{ readonly failure: Failure; readonly until: Date }>;
}

/**
 * Counts a request in its key's hour, or only reads the quota if the contract says so. Throws a Failure if the request
 * is rejected. If the counter is unavailable, reads are admitted and it resolves to undefined; writes are rejected,
 * because the key may be revoked.
 */
export const admit = async (
  { uncounted, method }: Contract,
  { table, refused }: Counters,
  caller: Caller,
  { now, limit }: Hour,
): Promise<Quota | undefined> => {
  const rates = rateStore(table);
  const { keyId } = caller;
  if (uncounted) return rates.peek(caller, now, limit);
  const refusal = refused.get(keyId);
  if (refusal && now < refusal.until) throw refusal.failure;
  try {
    return await rates.take(caller, now, limit);
  } catch (error) {
    if (error instanceof Failure) refused.set(keyId, { failure: error, until: rateWindow(now).resetAt });
    if (error instanceof Failure || errorKindOf(error) === 'busy') throw error;
    countMetric('RateCounterUnavailable', { keyId, reason: String(error) });
    if (method === 'GET') return undefined;
    throw failure('uncounted');
  }
};

/**
 * The rate-limit headers of all responses. If the counter is unavailable, they contain only the limit: with a Remaining
 * of 0, clients would stop until the hour ends.
 */
export const quotaHeaders = (quota: Quota | undefined, limit: number): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  ...(quota && {
    'X-RateLimit-Remaining': String(quota.limit - quota.used),
    'X-RateLimit-Reset': quota.resetAt.toISOString(),
  }),
});

/** The quota in a failure, if it has one. A revoked key has nothing left. */
export const quotaOf = (refusal: Failure, { now, limit }: Hour): Quota | undefined => {
  if (refusal instanceof RateLimitExceeded) return refusal.quota;
  const isRevoked = refusal.code === 'INVALID_API_KEY';
  return isRevoked ? { limit, used: limit, resetAt: rateWindow(now).resetAt } : undefined;
};

/**
 * `Retry-After` in seconds: until the hour ends, or a moment for calls that were too fast or that the service couldn't
 * handle. Undefined for other failures.
 */
export const retryAfterSeconds = (refusal: Failure, now: Date): number | undefined => {
  if (refusal instanceof RateLimitExceeded)
    return Math.ceil((refusal.quota.resetAt.getTime() - now.getTime()) / 1000);
  if (refusal.code === 'SERVICE_UNAVAILABLE') return 5;
  return refusal.code === 'RATE_LIMIT_EXCEEDED' ? 1 : undefined;
};

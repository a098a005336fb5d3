import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller, Contract } from '../core/api/endpoint.ts';
import { Failure } from '../core/failure.ts';
import { failure, invalidApiKey } from '../core/messages.ts';
import type { Scope } from '../core/projects/api-key.ts';
import { type Quota, RateLimitExceeded, rateStore } from '../core/projects/rate-store.ts';
import { rateWindow } from '../core/projects/rate-window.ts';
import { kindOf } from '../core/table/errors.ts';
import type { Table } from '../core/table/table.ts';
import { countMetric } from './log.ts';
import { quotaMemory } from './quota-memory.ts';

/**
 * How long a request waits for its counter before it passes uncounted. A second was too short for a busy
 * machine, and a limit that lets requests pass is not exact.
 */
const deadlineMs = 3000;

/** The hour that a request counts in. */
export interface Hour {
  readonly now: Date;
  /** Requests that each key may make in an hour. */
  readonly limit: number;
}

/** The caller, as passed by the authorizer. */
export const callerOf = ({ requestContext }: APIGatewayProxyEvent): Caller => {
  const { project, keyId, scopes, user } = requestContext.authorizer ?? {};
  if (typeof project !== 'string' || typeof keyId !== 'string') throw invalidApiKey();
  return { project, keyId, scopes: String(scopes).split(' '), user: String(user) };
};

/** Throws INSUFFICIENT_PERMISSIONS unless the caller's key carries the scope. */
export const requireScope = ({ scopes }: Caller, scope: Scope): void => {
  if (scopes.includes(scope)) return;
  throw failure('missingScope', { scope });
};

/**
 * Counts a request against its key's hour, or only looks where the contract says so. Rejects with the refusal;
 * resolves to undefined, and lets the request through, when the counter can't be reached: an outage of ours must
 * not be one of the client's.
 */
export const admit = async (
  { uncounted }: Contract,
  table: Table,
  { keyId }: Caller,
  { now, limit }: Hour,
): Promise<Quota | undefined> => {
  const rates = rateStore(table);
  if (uncounted) return rates.peek(keyId, now, limit);
  // Asking the table again would only cost.
  const refusal = quotaMemory.refusalOf(keyId, now);
  if (refusal) throw refusal;
  try {
    const quota = await withDeadline(rates.take(keyId, now, limit));
    quotaMemory.admitted(keyId, quota);
    return quota;
  } catch (error) {
    if (error instanceof Failure) {
      quotaMemory.refused(keyId, error, rateWindow(now).resetAt);
      throw error;
    }
    if (kindOf(error) === 'busy') throw tooFast();
    countMetric('RateCounterUnavailable', { keyId, reason: String(error) });
    return undefined;
  }
};

/** Whether a call had better wait for its admission before anything is read for it. */
export const isDoubtful = ({ requestContext }: APIGatewayProxyEvent, { now, limit }: Hour): boolean => {
  const keyId: unknown = requestContext.authorizer?.keyId;
  return typeof keyId === 'string' && quotaMemory.isDoubtful(keyId, now, limit);
};

/**
 * The contract's rate-limit headers, on refusals too. If the counter didn't respond, the key's use is unknown
 * and the response shows only the limit: with a Remaining of 0, clients would stop until the hour ends.
 */
export const quotaHeaders = (quota: Quota | undefined, limit: number): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  ...(quota && {
    'X-RateLimit-Remaining': String(quota.limit - quota.used),
    'X-RateLimit-Reset': quota.resetAt.toISOString(),
  }),
});

/**
 * A key's use of its hour after an admission or a refusal; undefined if unknown. A revoked key has nothing
 * left.
 */
export const quotaOf = (
  admitted: PromiseSettledResult<Quota | undefined>,
  { now, limit }: Hour,
): Quota | undefined => {
  if (admitted.status === 'fulfilled') return admitted.value;
  const refusal: unknown = admitted.reason;
  if (refusal instanceof RateLimitExceeded) return refusal.quota;
  const isRevoked = refusal instanceof Failure && refusal.code === 'INVALID_API_KEY';
  return isRevoked ? { limit, used: limit, resetAt: rateWindow(now).resetAt } : undefined;
};

/** When a refused client may come back: at the end of its hour, or in a moment if it was only too fast. */
export const retryAfterSeconds = (refusal: Failure, now: Date): number =>
  refusal instanceof RateLimitExceeded
    ? Math.ceil((refusal.quota.resetAt.getTime() - now.getTime()) / 1000)
    : 1;

export const tooFast = () => failure('tooFast');

const withDeadline = async <Value>(work: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The rate counter did not answer in time')), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

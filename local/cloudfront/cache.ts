import type { CachePolicy } from '../assembly/assembly.ts';

export interface Cacheable {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

interface CachedObject extends Cacheable {
  readonly storedAt: number;
  readonly expiresAt: number;
}

export interface EdgeCache {
  find(key: string): CachedObject | undefined;
  keep(key: string, answer: Cacheable, ttlSeconds: number): void;
}

const keptAtMost = 10_000;

export function createCache(now: () => number = Date.now): EdgeCache {
  const objects = new Map<string, CachedObject>();
  return {
    find: (key) => {
      const object = objects.get(key);
      if (!object || object.expiresAt > now()) return object;
      objects.delete(key);
      return undefined;
    },
    keep: (key, answer, ttlSeconds) => {
      if (ttlSeconds <= 0) return;
      const [oldest] = objects.keys();
      if (objects.size >= keptAtMost && oldest !== undefined) objects.delete(oldest);
      objects.set(key, { ...answer, storedAt: now(), expiresAt: now() + ttlSeconds * 1000 });
    },
  };
}

const alwaysCachedErrors = new Set([404, 414, 500, 501, 502, 503, 504]);
const errorsCachedOnRequest = new Set([400, 403, 405, 412, 415]);
const defaultErrorTtl = 10;

/**
 * The seconds for which CloudFront caches a response. Some errors are cached even where caching is disabled, unless
 * their minimum TTL is set to 0.
 */
export function ttlOf(
  { statusCode, headers }: Cacheable,
  policy: CachePolicy,
  errorTtls: Readonly<Record<number, number>>,
): number {
  const stated = freshness(headers);
  if (statusCode >= 400) {
    const minimum = errorTtls[statusCode] ?? defaultErrorTtl;
    if (alwaysCachedErrors.has(statusCode)) return Math.max(minimum, stated ?? 0);
    if (errorsCachedOnRequest.has(statusCode) && stated) return Math.max(minimum, stated);
    return 0;
  }
  return Math.min(Math.max(stated ?? policy.defaultTtl, policy.minTtl), policy.maxTtl);
}

/** Seconds that the origin allows; undefined if its headers state none. */
function freshness(headers: Cacheable['headers']): number | undefined {
  const control = String(headers['cache-control'] ?? '').toLowerCase();
  if (/(?:^|[\s,])(?:no-store|no-cache|private)\b/.test(control)) return 0;
  const age = control.match(/s-maxage=(\d+)/)?.[1] ?? control.match(/max-age=(\d+)/)?.[1];
  if (age !== undefined) return Number(age);
  const { expires } = headers;
  if (expires === undefined) return undefined;
  const time = Date.parse(String(expires));
  return Number.isNaN(time) ? 0 : Math.max(0, (time - Date.now()) / 1000);
}

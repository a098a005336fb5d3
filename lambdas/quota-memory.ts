import type { Failure } from '../core/failure.ts';
import type { Quota } from '../core/projects/rate-store.ts';

interface Seen {
  readonly until: number;
  readonly remaining: number;
  readonly refusal?: Failure;
}

const keysRemembered = 10_000;
/** Calls that may be in progress in other containers when this one last saw the counter. */
const fewLeft = (limit: number): number => Math.max(10, limit / 100);

const seen = new Map<string, Seen>();

/** What this container knows of the hours of keys, each until its hour ends. */
export const quotaMemory = {
  /** Why a key is refused for the rest of its hour, if it is. */
  refusalOf(keyId: string, now: Date): Failure | undefined {
    return current(keyId, now)?.refusal;
  },

  /** Whether a call of the key may well be refused, so that nothing should be read for it before it is admitted. */
  isDoubtful(keyId: string, now: Date, limit: number): boolean {
    const known = current(keyId, now);
    return known !== undefined && known.remaining <= fewLeft(limit);
  },

  admitted(keyId: string, { limit, used, resetAt }: Quota): void {
    remember(keyId, { until: resetAt.getTime(), remaining: limit - used });
  },

  refused(keyId: string, refusal: Failure, resetAt: Date): void {
    remember(keyId, { until: resetAt.getTime(), remaining: 0, refusal });
  },
};

const current = (keyId: string, now: Date): Seen | undefined => {
  const known = seen.get(keyId);
  return known && now.getTime() < known.until ? known : undefined;
};

const remember = (keyId: string, known: Seen): void => {
  if (seen.size >= keysRemembered) seen.clear();
  seen.set(keyId, known);
};

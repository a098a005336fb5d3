import type { Failure } from '../core/base/failure.ts';

const keysRemembered = 10_000;

const refused = new Map<string, { readonly failure: Failure; readonly until: Date }>();

/** The keys that this container knows to be refused, each until its hour ends. */
export const quotaMemory = {
  refusalOf(keyId: string, now: Date): Failure | undefined {
    const known = refused.get(keyId);
    return known && now < known.until ? known.failure : undefined;
  },

  refused(keyId: string, failure: Failure, until: Date): void {
    if (refused.size >= keysRemembered) refused.clear();
    refused.set(keyId, { failure, until });
  },
};

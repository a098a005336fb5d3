import type { RetryErrorInfo, RetryStrategyV2, StandardRetryToken } from '@smithy/types';

const attempts = 3;

const tokenOf = (count: number): StandardRetryToken => ({
  getRetryCount: () => count,
  getRetryDelay: () => 1,
  getRetryCost: () => undefined,
});

/** Repeats what the SDK repeats, as often as it does, without its pauses. */
export const quickRetries: RetryStrategyV2 = {
  acquireInitialRetryToken: async () => tokenOf(0),
  refreshRetryTokenForRetry: async (token, { errorType }: RetryErrorInfo) => {
    const isWorthIt = errorType === 'THROTTLING' || errorType === 'TRANSIENT' || errorType === 'SERVER_ERROR';
    if (!isWorthIt || token.getRetryCount() + 1 >= attempts) throw new Error('No more attempts');
    return tokenOf(token.getRetryCount() + 1);
  },
  recordSuccess: () => undefined,
};

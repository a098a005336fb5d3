import { getUsage } from '../../core/api/usage.ts';
import { hourMs } from '../../core/base/durations.ts';
import { serve } from '../frame/serve.ts';

export const handler = serve(getUsage, {}, async ({ quota }) => {
  if (!quota) throw new Error('The rate counter can not be read');
  const { limit, used, resetAt } = quota;
  return {
    limit,
    used,
    remaining: limit - used,
    resetAt: resetAt.toISOString(),
    windowSeconds: hourMs / 1000,
  };
});

import { getUsage } from '../../core/api/usage.ts';
import { windowSeconds } from '../../core/projects/rate-window.ts';
import { serve } from '../serve.ts';

export const handler = serve(getUsage, process.env, async ({ quota }) => {
  const told = await quota;
  if (!told) throw new Error('The rate counter can not be read');
  const { limit, used, resetAt } = told;
  return { limit, used, remaining: limit - used, resetAt: resetAt.toISOString(), windowSeconds };
});

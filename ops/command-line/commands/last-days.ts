import { limits } from '../../../core/base/limits.ts';
import { wholeNumber } from '../command.ts';

/** Of which days figures are. */
export const days = wholeNumber(
  'N',
  `the last N days, today included, up to ${limits.buckets} (default: 30)`,
  1,
);

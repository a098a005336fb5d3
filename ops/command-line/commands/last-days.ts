import { limits } from '../../../core/base/limits.ts';
import { wholeNumber } from '../command.ts';

/** The option for the days of figures. */
export const days = wholeNumber(
  'N',
  `the last N days, today included, up to ${limits.buckets} (default: 30)`,
  1,
);

import { ConfigError } from '../../lib/config-error.ts';
import { UsageError } from './operator-error.ts';

/** What is read of a CDK context. Throws UsageError for values that can't be right. */
export const ofContext = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
};

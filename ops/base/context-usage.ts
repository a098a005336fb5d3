import { ConfigError } from '../../lib/config-error.ts';
import { UsageError } from './operator-error.ts';

/** A value read from a CDK context. Throws UsageError for invalid values. */
export const ofContext = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
};

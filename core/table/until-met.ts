import { AwsError } from './errors.ts';
import { ConditionFailed } from './table.ts';

/**
 * Repeats a read and a conditional write while the condition fails because of concurrent writes. Throws a `busy` error
 * after `most` times.
 */
export const untilMet = async <Result>(attempt: () => Promise<Result>, most = 20): Promise<Result> => {
  for (let left = most; left > 0; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new AwsError({ name: 'ItemKeptChanging' });
};

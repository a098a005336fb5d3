import { AwsError } from './errors.ts';
import { ConditionFailed } from './table.ts';

/**
 * Reads, decides and writes again for as long as the condition of the write fails, because somebody else wrote in between.
 * Throws a `busy` error if that happens `most` times.
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

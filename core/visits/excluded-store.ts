import { excludedKey, excludedPrefix } from '../table/analytics-keys.ts';
import type { Updates } from '../table/table.ts';
import type { ExcludedCount } from './excluded-visits.ts';

export const excludedStore = (table: Updates) => ({
  /** Adds to a link's excluded visits. It must not be retried, because a retry would count twice. */
  async add({ project, code, reasons }: ExcludedCount): Promise<void> {
    const counts = Object.entries(reasons);
    await table.update({
      Key: excludedKey(project, code),
      UpdateExpression: `ADD ${counts.map((_, i) => `#x${i} :x${i}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        counts.map(([reason], i) => [`#x${i}`, excludedPrefix + reason]),
      ),
      ExpressionAttributeValues: Object.fromEntries(counts.map(([, n], i) => [`:x${i}`, n])),
    });
  },
});

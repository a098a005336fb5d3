import type { DaysTable } from '../../../core/analytics/closed-days.ts';
import { ConditionFailed, type Item, type Table } from '../../../core/table/table.ts';

/** Updates per transaction. DynamoDB allows 100; smaller ones let others write in between. */
const together = 50;

type Update = Parameters<DaysTable['update']>[0];

interface Waiting {
  readonly update: Update;
  readonly resolve: (before: Item) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A table of new items of analytics that groups concurrent updates into transactions, because single calls take five
 * times as long. All must be of different items. It reads nothing, so no days are closed while it is filled.
 */
export const withGroupedUpdates = (table: Table): DaysTable => {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const group = waiting;
    waiting = [];
    try {
      await table.transact(
        group.map(({ update: { ReturnValues: _, UpdateExpression = '', ...rest } }) => ({
          Update: { ...rest, UpdateExpression },
        })),
      );
      for (const { resolve } of group) resolve({});
    } catch (error) {
      // Some were made before, so each is made or skipped separately.
      const alone = error instanceof ConditionFailed;
      for (const { update, resolve, reject } of group)
        if (alone) table.update(update).then(resolve, reject);
        else reject(error);
    }
  };
  return {
    ...table,
    get: async () => undefined,
    update: (update) =>
      new Promise((resolve, reject) => {
        waiting.push({ update, resolve, reject });
        if (waiting.length === together) flush();
        else if (waiting.length === 1) setImmediate(() => waiting.length > 0 && flush());
      }),
  };
};

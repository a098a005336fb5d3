import { TableBusy } from './table.ts';
import { TableError } from './table-error.ts';

const passing =
  /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionConflict|TransactionInProgress/;

/** Whether the table refused a call for now: too many calls, or others on the same items. */
export const isBusy = (error: unknown): boolean => {
  if (error instanceof TableBusy) return true;
  if (!(error instanceof TableError)) return false;
  return passing.test(error.name) || error.reasons.some(({ Code = '' }) => passing.test(Code));
};

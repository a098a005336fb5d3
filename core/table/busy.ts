const passing =
  /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionConflict|TransactionInProgress/;

/** Whether the table refused a call for now: too many calls, or others on the same items. */
export const isBusy = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { CancellationReasons = [] } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return passing.test(error.name) || CancellationReasons.some(({ Code = '' }) => passing.test(Code));
};

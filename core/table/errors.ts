/** Why one part of a transaction was cancelled; `None` for a part that would have succeeded. */
export interface CancellationReason {
  readonly Code?: string;
  /** The stored item that failed the part's condition, in the wire format. */
  readonly Item?: unknown;
}

/** A failed call to the table or to another AWS service. */
export class AwsError extends Error {
  /** The HTTP response's status. */
  readonly status: number;
  /** The stored item that failed a condition, in the wire format, if the call asked for it. */
  readonly item: unknown;
  /** Reasons of a cancelled transaction, in the order of its parts. */
  readonly reasons: readonly CancellationReason[];
  /** Whether an earlier attempt got no response, so it may have succeeded. */
  isRepeated = false;

  /** The name is DynamoDB's, such as `ConditionalCheckFailedException`, or the reason why no response arrived. */
  constructor({
    name,
    message = name,
    status = 400,
    item,
    reasons = [],
  }: Partial<AwsError> & { name: string }) {
    super(message);
    this.name = name;
    this.status = status;
    this.item = item;
    this.reasons = reasons;
  }
}

/**
 * What an error means for the caller:
 * - `condition`: a condition was not met.
 * - `busy`: nothing was done, because of throttling or a conflicting call. It is temporary.
 * - `in-progress`: an earlier attempt of the transaction still runs. Retry only with the same input and token.
 * - `timeout`, `lost`: no response, so the call may or may not have succeeded.
 * - `dead-connection`: the server had closed the pooled connection before the request.
 * - `refused`: anything else; a retry would fail again.
 */
export type ErrorKind = (typeof signs)[number][0] | 'refused';

/** Patterns for the error's name and the codes of a cancelled transaction's parts; the first match decides. */
const signs = [
  // A transaction with a failed condition never succeeds, whatever else failed.
  ['condition', /ConditionalCheckFailed/],
  [
    'busy',
    /Throttl|ThroughputExceeded|RequestLimitExceeded|TransactionConflict|Unprocessed|ItemKeptChanging/,
  ],
  ['in-progress', /TransactionInProgress/],
  ['timeout', /Timeout/],
  ['lost', /ConnectionLost/],
  ['dead-connection', /DeadConnection/],
] as const satisfies readonly (readonly [kind: string, sign: RegExp])[];

/** Classifies an AWS error; all other errors are `refused`. */
export const errorKindOf = (error: unknown): ErrorKind => {
  if (!(error instanceof AwsError)) return 'refused';
  const codes = [error.name, ...error.reasons.map(({ Code }) => Code)].join();
  return signs.find(([, sign]) => sign.test(codes))?.[0] ?? (error.status >= 500 ? 'lost' : 'refused');
};

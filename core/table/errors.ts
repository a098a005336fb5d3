/** Why one part of a transaction was cancelled; `None` for a part that would have succeeded. */
export interface CancellationReason {
  readonly Code?: string;
  /** In the wire format: what the part's condition was held against. */
  readonly Item?: unknown;
}

/** A call of the table, or of another service of AWS, that brought no result. */
export class AwsError extends Error {
  /** Of the HTTP response. */
  readonly status: number;
  /** In the wire format: what a failed condition was held against, where the call asked for it. */
  readonly item: unknown;
  /** Of a cancelled transaction, in the order of its parts. */
  readonly reasons: readonly CancellationReason[];
  /** Whether an earlier attempt got no response, and so may have been carried out. */
  isRepeated = false;

  /** The name is DynamoDB's, such as `ConditionalCheckFailedException`, or says what kept its response away. */
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
 * - `busy`: nothing was done, because of too many calls or of others on the same items. It passes.
 * - `in-progress`: the same transaction still runs from an earlier attempt. Only the same input with the same token
 *   may follow.
 * - `timeout`, `lost`: no response, so it may have been done or not.
 * - `dead-connection`: a pooled connection had been closed before the request.
 * - `refused`: anything else; it would happen again.
 */
export type ErrorKind = (typeof signs)[number][0] | 'refused';

/** Told by the error's name and the codes of a cancelled transaction's parts; the first kind that is named decides. */
const signs = [
  // A transaction with a failed condition fails for good, whatever else kept it back.
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

/** The one judgement of errors of AWS. Errors of other origin are `refused`. */
export const errorKindOf = (error: unknown): ErrorKind => {
  if (!(error instanceof AwsError)) return 'refused';
  const said = [error.name, ...error.reasons.map(({ Code }) => Code)].join();
  return signs.find(([, sign]) => sign.test(said))?.[0] ?? (error.status >= 500 ? 'lost' : 'refused');
};

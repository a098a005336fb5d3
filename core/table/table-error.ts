/** Why one part of a transaction was cancelled; `None` for a part that would have succeeded. */
export interface CancellationReason {
  readonly Code?: string;
  /** In the wire format: what the part's condition was held against. */
  readonly Item?: unknown;
}

export interface Refusal {
  /** DynamoDB's, such as `ConditionalCheckFailedException`. */
  readonly name: string;
  readonly message?: string | undefined;
  readonly isRetryable?: boolean;
  /** In the wire format: what a failed condition was held against, where the call asked for it. */
  readonly item?: unknown;
  /** Of a cancelled transaction, in the order of its parts. */
  readonly reasons?: readonly CancellationReason[] | undefined;
}

/** An error response of DynamoDB. */
export class TableError extends Error {
  readonly isRetryable: boolean;
  readonly item: unknown;
  readonly reasons: readonly CancellationReason[];
  /** Whether the call was sent before without a response: it may have succeeded then. */
  isRepeated = false;

  constructor({ name, message = name, isRetryable = false, item, reasons = [] }: Refusal) {
    super(message);
    this.name = name;
    this.isRetryable = isRetryable;
    this.item = item;
    this.reasons = reasons;
  }
}

/** The progress of long work. */
export interface TransferProgress {
  readonly done?: number | undefined;
  /** The total; omitted if unknown. */
  readonly of?: number | undefined;
  /** Describes progress without numbers. */
  readonly text?: string;
  /** The partial result, in the result's shape. */
  readonly found?: unknown;
}

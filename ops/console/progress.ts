/** How far a long piece of work is. */
export interface TransferProgress {
  readonly done?: number | undefined;
  /** Left out where nobody knows. */
  readonly of?: number | undefined;
  /** In words, where numbers don't say it. */
  readonly text?: string;
  /** What is found so far, in the form of the result. */
  readonly found?: unknown;
}

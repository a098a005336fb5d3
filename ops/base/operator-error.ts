/** A problem that the operator can fix; shown as one line. */
export class OperatorError extends Error {
  /** The exit code of a program that ends with it. */
  readonly exitCode: number = 1;
}

/** What the operator typed can't be right, whatever the stack holds. */
export class UsageError extends OperatorError {
  override readonly exitCode = 2;
}

/** The operator ended the command before its end. Shells take 128 and the signal's number for that. */
export class Interrupted extends OperatorError {
  override readonly exitCode = 130;
}

/** A problem that the operator can fix; shown as one line. */
export class OperatorError extends Error {
  /** The exit code of a program that ends with it. */
  readonly exitCode: number = 1;
}

/** The operator's input is invalid, regardless of the stack. */
export class UsageError extends OperatorError {
  override readonly exitCode = 2;
}

/** The operator interrupted the command. The exit code is 128 plus the signal's number, as in shells. */
export class Interrupted extends OperatorError {
  override readonly exitCode = 130;
}

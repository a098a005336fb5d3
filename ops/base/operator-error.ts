import { Failure, type Fault } from '../../core/base/failure.ts';

/** A problem that the operator can fix; shown as one line. */
export class OperatorError extends Error {
  /** The exit code of a program that ends with it. */
  readonly exitCode: number = 1;
  /** The faults of fields, for a form that shows them there. */
  readonly faults: readonly Fault[];

  constructor(message: string, faults: readonly Fault[] = []) {
    super(message);
    this.faults = faults;
  }
}

/** The operator's input is invalid, regardless of the stack. */
export class UsageError extends OperatorError {
  override readonly exitCode = 2;
}

/** The operator interrupted the command. The exit code is 128 plus the signal's number, as in shells. */
export class Interrupted extends OperatorError {
  override readonly exitCode = 130;
}

/** Runs a use case of core. Its failures become operators' errors: UsageError for VALIDATION_ERROR. */
export const refusing = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    throw operatorErrorOf(error);
  }
};

/** A reader of an argument, whose failures become operators' errors. */
export const reading =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value => {
    try {
      return read(text);
    } catch (error) {
      throw operatorErrorOf(error);
    }
  };

const operatorErrorOf = (error: unknown): unknown => {
  if (!(error instanceof Failure)) return error;
  const { code, message, faults } = error;
  return new (code === 'VALIDATION_ERROR' ? UsageError : OperatorError)(message, faults);
};

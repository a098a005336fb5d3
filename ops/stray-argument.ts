import { OperatorError } from './operator-error.ts';

/**
 * npm keeps flags that don't follow `--` to itself and passes on their values alone. `example` is a call of the command
 * with a flag.
 */
export const flagsAdvice = (example: string): string => `(flags go behind --: ${example})`;

/**
 * What `parseArgs` resolves arguments to. Throws OperatorError with its message; about an argument where only flags are
 * taken, with advice.
 */
export const withFlagsAdvice = <Parsed>(parse: () => Parsed, example: string): Parsed => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const stray = /^Unexpected argument '.*'(?=\. This command does not take positional arguments)/s.exec(
      error.message,
    );
    throw new OperatorError(stray ? `${stray[0]} ${flagsAdvice(example)}` : error.message);
  }
};

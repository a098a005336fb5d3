import { OperatorError } from './operator-error.ts';

/**
 * npm keeps flags that don't follow `--` to itself and passes on their values alone. `example` is a call of the command
 * with a flag.
 */
export const flagsAdvice = (example: string): string => `(flags go behind --: ${example})`;

/**
 * Throws OperatorError about a flag without a value that npm kept, which would be ignored without a word. npm shows a
 * script such flags in its environment only.
 */
export const refuseKeptFlags = (
  script: string,
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
): void => {
  if (environment.npm_lifecycle_event !== script) return;
  const kept = names.find((name) => environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined);
  if (kept === undefined) return;
  throw new OperatorError(`npm kept the flag --${kept} ${flagsAdvice(`npm ${script} -- --${kept}`)}`);
};

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

import { OperatorError } from './operator-error.ts';

/**
 * npm keeps flags that don't follow `--` to itself and passes on their values alone. `example` is a call of the command
 * with a flag.
 */
export const flagsAdvice = (example: string): string => `(flags go behind --: ${example})`;

interface Script {
  readonly name: string;
  /** Its flags without their dashes. */
  readonly flags: readonly string[];
  /** Context keys, which people also try as flags. */
  readonly contextKeys?: readonly string[];
}

/**
 * Throws OperatorError about a flag that npm kept, which would be ignored without a word. npm shows a script such flags
 * in its environment only, together with its own settings: those of their names that many set, such as `json`, can't be
 * told from ours.
 */
export const refuseKeptFlags = (
  { name, flags, contextKeys = [] }: Script,
  environment: NodeJS.ProcessEnv,
): void => {
  if (environment.npm_lifecycle_event !== name) return;
  const kept = (flag: string) => environment[`npm_config_${flag.replaceAll('-', '_').toLowerCase()}`];
  const refuse = (flag: string, right = flag) => {
    const run = name === 'start' ? 'npm start' : `npm run ${name}`;
    throw new OperatorError(`npm kept the flag ${flag} ${flagsAdvice(`${run} -- ${right}`)}`);
  };
  // npm's own -c is a command for a shell.
  const call = kept('call');
  if (flags.includes('context') && /^\w+=\S*$/.test(call ?? '')) refuse(`-c ${call}`);
  for (const flag of flags) {
    const value = kept(flag);
    if (value) refuse(`--${flag}${value === 'true' ? '' : `=${value}`}`);
  }
  for (const key of contextKeys) {
    const value = kept(key);
    if (value)
      refuse(
        `--${key}${value === 'true' ? '' : `=${value}`}`,
        `-c ${key}=${value === 'true' ? 'VALUE' : value}`,
      );
  }
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

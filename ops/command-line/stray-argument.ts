import { UsageError } from '../base/operator-error.ts';
import { deploymentOptions, flagOf } from './command.ts';

/**
 * Advice for flags before `--`, which npm keeps, passing on only their values. `example` is a call of the command with
 * a flag.
 */
export const flagsAdvice = (example: string): string => `(put flags after --: ${example})`;

interface Script {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly place: readonly string[];
}

/** npm scripts that are commands or, like `admin`, take any. */
const scripts = ['start', 'deploy', 'smoke', 'preflight', 'conformance', 'admin', 'synth'];

/** The npm script that calls the program, if any; `npx dls` keeps no flags. */
export const scriptOf = ({ npm_lifecycle_event: name }: NodeJS.ProcessEnv): string | undefined => {
  if (name === undefined || !scripts.includes(name)) return undefined;
  return name === 'start' ? 'npm start --' : `npm run ${name === 'admin' ? '-s ' : ''}${name} --`;
};

/** npm's own settings, which many users have, so they can't be distinguished from flags. */
const settings = ['json', 'key', 'yes'];

/** CDK flags that an operator may try. */
const cdkFlags = ['stack', 'profile', 'exclusively', 'require-approval', 'parameters', 'role-arn'];

/**
 * Throws UsageError for a flag that npm kept, which would be silently ignored. npm passes such flags only in the
 * environment, together with its own settings.
 */
export const refuseKeptFlags = async (environment: NodeJS.ProcessEnv, commands: readonly Script[]) => {
  const script = scriptOf(environment);
  if (script === undefined) return;
  const kept = (flag: string) => environment[`npm_config_${flag.replaceAll('-', '_').toLowerCase()}`];
  const refuse = (flag: string, right = flag) => {
    throw new UsageError(`npm didn't pass on the flag ${flag} ${flagsAdvice(`${script} ${right}`)}`);
  };
  const name = environment.npm_lifecycle_event;
  const command = commands.find((one) => one.name === name);
  const flags: readonly string[] = command
    ? [...Object.keys(command.options).map((option) => flagOf(option).slice(2)), ...command.place]
    : deploymentOptions;
  const takesContext = flags.includes('context');
  // npm's own -c is a command for a shell.
  const call = kept('call');
  if (takesContext && /^\w+=\S*$/.test(call ?? '')) refuse(`-c ${call}`);
  for (const flag of [...flags, ...(name === 'deploy' ? cdkFlags : [])]) {
    const value = settings.includes(flag) ? undefined : kept(flag);
    if (value) refuse(`--${flag}${value === 'true' ? '' : `=${value}`}`);
  }
  // Loaded only if somebody may have tried a context key as a flag.
  const { contextKeys } = takesContext ? await import('../../lib/settings.ts') : { contextKeys: [] };
  for (const key of contextKeys) {
    const value = kept(key);
    if (value)
      refuse(
        `--${key}${value === 'true' ? '' : `=${value}`}`,
        `-c ${key}=${value === 'true' ? 'VALUE' : value}`,
      );
  }
};

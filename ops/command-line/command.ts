import { UsageError } from '../base/operator-error.ts';
import type { DeploymentAccess } from '../deployment/deployment.ts';
import type { Repository } from './repository.ts';

/** The context of a command: its deployment, and its input and output. */
export interface Context {
  /** The deployment that --data or --stack names. Looked up at the first call. */
  readonly deployment: () => Promise<DeploymentAccess>;
  /** The operator's place options, for commands that need more than the deployment's table. */
  readonly place: { readonly data: string } & {
    readonly [Option in 'stack' | 'region' | 'profile']?: string;
  };
  /** The project of DLS_PROJECT, for a command that sometimes needs one. Required ones are already filled in. */
  readonly usualProject?: string | undefined;
  /** Whether the result is printed as JSON. If so, standard output must contain nothing else. */
  readonly isJson: boolean;
  /** Prints a line to standard output before the command ends; not with `isJson`. */
  readonly print: (text: string) => void;
  /**
   * Streams to standard output, in addition to or instead of a result; resolves when more can follow. Not with
   * `isJson`.
   */
  readonly write: (text: string) => Promise<void>;
  /** Width of the terminal in characters; undefined if standard output is not a terminal. */
  readonly columns: number | undefined;
  /** Asks the user; undefined if standard input or error isn't a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** All of standard input. */
  readonly input: () => Promise<string>;
  /** Makes Ctrl-C abort the signal instead of ending the process. The command then throws `Interrupted`. */
  readonly interruption?: (() => AbortSignal) | undefined;
  /** Shows a line on standard error. */
  readonly progress: (text: string) => void;
  /** Replaces the last line of standard error; undefined if it isn't a terminal. An empty text removes it. */
  readonly redraw?: ((text: string) => void) | undefined;
  /** The repository of the program; undefined outside of one. */
  readonly repository?: Repository | undefined;
  /** Makes the exit code 1 although the result is printed. */
  readonly fail: () => void;
}

/** A value of the command line: how help shows it, and how it is parsed. */
export interface Parameter<Value> {
  /** The placeholder in help, such as ID; undefined for a flag. */
  readonly placeholder?: string;
  readonly description: string;
  readonly required?: boolean;
  /** Takes several values, given one after the other or by repeating the option. */
  readonly several?: boolean;
  /** Takes several values only by repeating the option. */
  readonly repeated?: boolean;
  /** The option's one-letter form. */
  readonly short?: string;
  readonly choices?: readonly string[];
  /** Parses the text. `name` is the parameter's name on the command line. Throws OperatorError. */
  readonly read: (text: string, name: string) => Value;
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>;
type Values<Given extends Parameters> = {
  readonly [Name in keyof Given]: Given[Name] extends Parameter<infer Value> ? Value : never;
};

/** An option on the command line: `dryRun` is `--dry-run`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const deploymentOptions = ['data', 'stack', 'region', 'profile'] as const;
export type DeploymentOption = (typeof deploymentOptions)[number];

export interface Command {
  /** Noun and verb, such as `project create`, or one word. */
  readonly name: string;
  /** An earlier verb that still works and isn't in the help. */
  readonly formerVerb?: string | undefined;
  readonly summary: string;
  readonly arguments: Parameters;
  /** By name; `dryRun` is `--dry-run` on the command line. */
  readonly options: Parameters;
  /** The deployment options that it takes. */
  readonly place: readonly DeploymentOption[];
  /** Whether its arguments are passed unchanged to another program. */
  readonly isPassedOn: boolean;
  readonly run: (given: Readonly<Record<string, unknown>>, context: Context) => Promise<unknown>;
}

interface Statement<Arguments extends Parameters, Options extends Parameters>
  extends Pick<Command, 'formerVerb' | 'summary'> {
  /** Arguments in order. */
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** The deployment options that it takes; by default all. */
  readonly place?: readonly DeploymentOption[];
  /** Resolves to the result to print; undefined if the command prints it itself. */
  readonly run: (given: Values<Arguments> & Values<Options>, context: Context) => Promise<object | undefined>;
}

/** Defines a command; help, checks and types follow from its arguments and options. */
export const command = <
  Arguments extends Parameters = Record<never, never>,
  Options extends Parameters = Record<never, never>,
>(
  name: string,
  { arguments: takes, options, place = deploymentOptions, run, ...rest }: Statement<Arguments, Options>,
): Command => ({
  ...{ name, ...rest, arguments: takes ?? {}, options: options ?? {}, place, isPassedOn: false },
  // The values are read by these parameters, so they have their types.
  run: run as Command['run'],
});

/** Defines a command that passes its arguments to another program, which may have more options than help shows. */
export const passedOn = (
  name: string,
  { summary, options }: Pick<Command, 'summary' | 'options'>,
  run: (args: readonly string[], context: Context) => Promise<undefined>,
): Command => ({
  ...{ name, summary, arguments: {}, options, place: [], isPassedOn: true },
  run: (given, context) => run(given.args as readonly string[], context),
});

const asIs = (text: string): string => text;

/** An argument or an option that must be given. */
export const required = (placeholder: string, description: string): Parameter<string> => ({
  placeholder,
  description,
  required: true,
  read: asIs,
});

/** An option that may be left out. */
export const optional = (placeholder: string, description: string): Parameter<string | undefined> => ({
  placeholder,
  description,
  read: asIs,
});

/** A parameter with its own parser. */
export const read = <Value>(
  { placeholder, description }: { readonly placeholder: string; readonly description: string },
  reading: (text: string, name: string) => Value,
): Parameter<Value | undefined> => ({ placeholder, description, read: reading });

const numberIn =
  (min: number, max = Number.POSITIVE_INFINITY): Parameter<number>['read'] =>
  (text, name) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`${name} must be a whole number ${range}, not '${text}'`);
  };

/** A whole number from `min` on, up to `max` if given. */
export const wholeNumber = (
  placeholder: string,
  description: string,
  min = 0,
  max?: number,
): Parameter<number | undefined> => ({ placeholder, description, read: numberIn(min, max) });

/** A whole number that must be given. */
export const requiredNumber = (
  placeholder: string,
  description: string,
  { min, max }: { readonly min: number; readonly max?: number },
): Parameter<number> => ({ placeholder, description, required: true, read: numberIn(min, max) });

/** A port; 0 stands for a free one. */
export const port = (description: string): Parameter<number | undefined> =>
  read({ placeholder: 'N', description }, (text, name) => {
    if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new UsageError(`${name} must be a port from 0 to 65535, not '${text}'`);
  });

/** An option without a value. */
export const flag = (description: string): Parameter<boolean | undefined> => ({
  description,
  read: () => true,
});

/** One of a few words. */
export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  description: string,
): Parameter<Choice | undefined> => ({
  placeholder: choices.join('|'),
  description,
  choices,
  read: (text) => text as Choice,
});

/** A choice that must be made. */
export const requiredChoice = <const Choice extends string>(
  choices: readonly Choice[],
  description: string,
): Parameter<Choice> => ({ ...choice(choices, description), required: true }) as Parameter<Choice>;

/** A value of the CDK's context: `-c KEY=VALUE`, which may be repeated. */
export const contextValues = (description: string): Parameter<readonly (readonly [string, string])[]> => ({
  placeholder: 'KEY=VALUE',
  description,
  repeated: true,
  short: 'c',
  read: (text) => {
    const [key = '', ...value] = text.split('=');
    if (key === '' || value.length === 0) throw new UsageError(`-c takes KEY=VALUE, not '${text}'`);
    return [[key, value.join('=')]];
  },
});

/** Several values, also in one with commas. */
export const list = (placeholder: string, description: string): Parameter<readonly string[]> => ({
  placeholder,
  description,
  several: true,
  read: (text) => text.split(',').filter((one) => one !== ''),
});

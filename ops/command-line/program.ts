import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import {
  type Command,
  type Context,
  type DeploymentOption,
  deploymentOptions,
  flagOf,
  type Parameter,
} from './command.ts';
import { commands, dlsCommand } from './commands.ts';
import { commandDefinitions, details, headingOf, overview, usageOf } from './help.ts';
import { readable } from './readable.ts';
import { refuseKeptFlags } from './stray-argument.ts';

/** The terminal of the command line. `print` and `progress` take one or several lines without a final line break. */
export type Terminal = Pick<
  Context,
  'print' | 'write' | 'progress' | 'redraw' | 'ask' | 'input' | 'interruption' | 'repository'
> &
  Partial<Pick<Context, 'columns'>>;

/**
 * Runs the command line. Resolves to whether the command fully succeeded. Throws UsageError for invalid input,
 * OperatorError, or the command's error.
 */
export const runAdmin = async (args: readonly string[], terminal: Terminal, environment = process.env) => {
  await refuseKeptFlags(environment, commands);
  const outcome = { ok: true };
  const output = { ...terminal, fail: () => (outcome.ok = false) };
  const program = programOf(commands, output, environment);
  try {
    const asked = args[0] === 'help' ? await helpFor(args.slice(1)) : args;
    const [first, ...rest] = asked;
    const carrier = commands.find(({ name, isPassedOn }) => isPassedOn && name === first);
    if (carrier && !rest.includes('--help'))
      await carrier.run({ args: rest }, contextOf({}, { output, environment }));
    else if (first === undefined) program.outputHelp();
    else await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return outcome.ok;
    const { lineOf } = await import('./usage-fault.ts');
    throw new UsageError(lineOf(error, args, environment));
  }
  return outcome.ok;
};

/** `help link show` is `link show --help`. */
const helpFor = async (typed: readonly string[]): Promise<readonly string[]> => {
  const isOption = (word = '') => Object.hasOwn(places, word.replace(/^--/, ''));
  const words = typed.filter((word, i) => !word.startsWith('-') && !isOption(typed[i - 1]));
  const typedName = [...words, ''].join(' ');
  const isKnown = commands.some(
    ({ name, formerVerb = '' }) =>
      `${name} `.startsWith(typedName) || `${name.split(' ')[0]} ${formerVerb} ` === typedName,
  );
  if (words.length === 0) return ['--help'];
  if (isKnown) return [...words, '--help'];
  const { asking, commandsLike } = await import('./suggestion.ts');
  const meant = asking(commandsLike(words));
  throw new UsageError(
    `There is no command '${words.join(' ')}'${meant === '' ? `; '${dlsCommand} help' lists them` : `.${meant}`}`,
  );
};

type Common = { readonly [Name in DeploymentOption]?: string } & { readonly json?: boolean };

type Output = Pick<Context, 'fail'> & Terminal;

const versionOf = (): string =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')).version;

const places: Readonly<Record<DeploymentOption, Option>> = {
  data: new Option(
    '--data <DIR>',
    'the data folder of a running local stack (default without --stack: .local)',
  ).conflicts('stack'),
  stack: new Option(
    '--stack <NAME>',
    'a deployed CloudFormation stack, with the AWS credentials of your environment',
  ),
  region: new Option(
    '--region <REGION>',
    "the stack's region (default: the deployment's, AWS_REGION, AWS_DEFAULT_REGION, your profile's)",
  ),
  profile: new Option('--profile <NAME>', "a profile of the AWS CLI (default: the environment's)"),
};

const programOf = (all: readonly Command[], output: Output, environment: NodeJS.ProcessEnv): Commander => {
  const program = new Commander(dlsCommand)
    .usage('COMMAND … [options]')
    .option('--json', 'print only one JSON value; errors go to standard error, also as JSON')
    .version(versionOf(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help and do nothing else')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .configureHelp(overview);
  for (const option of Object.values(places)) program.addOption(option);
  for (const [noun, verbs] of Map.groupBy(all, ({ name }) => name.split(' ')[0] ?? '')) {
    // A one-word command is its own verb.
    const isAlone = verbs.some(({ name }) => name === noun);
    const parent = isAlone ? program : nounOf(program, noun).helpGroup(headingOf(verbs[0]));
    for (const verb of verbs) attach(parent, verb, { output, environment });
  }
  return program.helpCommand(false).addHelpText('after', hints);
};

const hints = `
'${dlsCommand} COMMAND --help' or '${dlsCommand} help COMMAND' explains a command.
DLS_PROJECT in the environment replaces a required --project.`;

const nounOf = (program: Commander, noun: string): Commander =>
  program.command(noun).usage('VERB …').helpCommand(false).configureHelp(details);

interface ProgramContext {
  readonly output: Output;
  readonly environment: NodeJS.ProcessEnv;
}

const attach = (parent: Commander, command: Command, { output, environment }: ProgramContext): void => {
  const { name, formerVerb, summary, arguments: takes, options, place, run } = command;
  const verb = parent
    .command(name.split(' ').at(-1) ?? '')
    .description(summary)
    .helpGroup(headingOf(command));
  if (formerVerb !== undefined) verb.alias(formerVerb);
  commandDefinitions.set(verb, command);
  for (const parameter of Object.values(takes)) verb.addArgument(argumentOf(parameter));
  for (const [option, parameter] of Object.entries(options)) {
    const added = optionOf(option, parameter);
    if (option === 'project' && parameter.required && environment.DLS_PROJECT)
      added.default(environment.DLS_PROJECT);
    verb.addOption(added);
  }
  verb.usage(`${usageOf(verb)} [options]`.trim()).allowExcessArguments();
  verb.action(async () => {
    refuseExcess(verb);
    const common = verb.optsWithGlobals<Common>();
    refuseOtherPlaces(name, place, common);
    const given = usageOnly(() => ({
      ...values(takes, {
        given: (_, position) => verb.args[position],
        shown: (argument) => takes[argument]?.placeholder ?? argument,
      }),
      ...values(options, { given: (option) => optionValue(verb, option), shown: flagOf }),
    }));
    const result = await run(given, contextOf(common, { output, environment }));
    if (result !== undefined)
      output.print(common.json ? JSON.stringify(result) : readable(result as object, output.columns));
  });
};

/** Refuses excess arguments by name; commander would only count them. */
const refuseExcess = (verb: Commander): void => {
  const most = verb.registeredArguments.length;
  const excess = verb.args.slice(most).map((word) => `'${word}'`);
  if (excess.length === 0) return;
  const counts = `Expected ${most} ${most === 1 ? 'argument' : 'arguments'} but got ${verb.args.length}`;
  verb.error(`too many arguments: ${excess.join(', ')}. ${counts}`, { code: 'commander.excessArguments' });
};

/** Turns errors of reading values into UsageError: no service is called before. */
const usageOnly = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    throw error instanceof OperatorError ? new UsageError(error.message) : error;
  }
};

const refuseOtherPlaces = (name: string, place: Command['place'], common: Common): void => {
  const other = deploymentOptions.find((one) => common[one] !== undefined && !place.includes(one));
  if (other !== undefined)
    throw new UsageError(`'${name}' takes no --${other}; see '${dlsCommand} ${name} --help'`);
  const ofStack = (['region', 'profile'] as const).find((one) => common[one] !== undefined);
  if (ofStack && common.stack === undefined && place.includes('data'))
    throw new UsageError(`--${ofStack} goes with --stack`);
};

/** An option's value. Commander reads `--no-events` as a negation of `--events`. */
const optionValue = (verb: Commander, name: string) => {
  const negated = /^no([A-Z])(.*)$/.exec(name);
  if (!negated) return verb.getOptionValue(name);
  return verb.getOptionValue(`${negated[1]?.toLowerCase()}${negated[2]}`) === false ? true : undefined;
};

const argumentOf = ({ placeholder, description, required, choices }: Parameter<unknown>): Argument => {
  const argument = new Argument(required ? `<${placeholder}>` : `[${placeholder}]`, description);
  return choices ? anyCase(argument.choices(choices), choices) : argument;
};

const optionOf = (name: string, parameter: Parameter<unknown>): Option => {
  const { placeholder, description, required, several, repeated, short, choices } = parameter;
  const value = placeholder === undefined ? '' : ` <${placeholder}${several ? '...' : ''}>`;
  const flags = `${short === undefined ? '' : `-${short}, `}${flagOf(name)}${value}`;
  const option = new Option(flags, description).makeOptionMandatory(required === true);
  if (repeated) option.argParser((text, before: readonly string[] = []) => [...before, text]);
  return choices ? anyCase(option.choices(choices), choices) : option;
};

/** Accepts choices in any case. */
const anyCase = <Chosen extends Option | Argument>(chosen: Chosen, choices: readonly string[]): Chosen => {
  const check = chosen.parseArg;
  const meant = (text: string) => choices.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
  chosen.argParser((text: string, before: unknown) => check?.call(chosen, meant(text), before));
  return chosen;
};

interface Source {
  readonly given: (name: string, position: number) => string | readonly string[] | boolean | undefined;
  /** A parameter's name on the command line. */
  readonly shown: (name: string) => string;
}

const values = (parameters: Command['options'], { given, shown }: Source) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { read, several, repeated }], position) => {
      const value = given(name, position);
      const one = (text: unknown) => read(String(text), shown(name));
      if (several || repeated) return [name, [...new Set([value ?? []].flat().flatMap(one))]];
      return [name, value === undefined ? undefined : one(value)];
    }),
  );

const contextOf = (
  { data = '.local', stack, region, profile, json = false }: Common,
  { output, environment }: ProgramContext,
): Context => {
  // Every client of the SDK reads it.
  if (profile !== undefined) environment.AWS_PROFILE = profile;
  let deployment: ReturnType<Context['deployment']> | undefined;
  return {
    deployment: () => {
      deployment ??= import('../deployment/deployment.ts').then(({ stackDeployment, localDeployment }) =>
        stack === undefined ? localDeployment(data) : stackDeployment(stack, region),
      );
      return deployment;
    },
    place: { data, stack, region, profile },
    usualProject: environment.DLS_PROJECT || undefined,
    isJson: json,
    columns: output.columns,
    ...output,
  };
};

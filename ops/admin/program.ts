import { Argument, Command as Commander, CommanderError, Option } from 'commander';
import { OperatorError } from '../operator-error.ts';
import { refuseKeptFlags } from '../stray-argument.ts';
import { deployedTarget, localTarget } from '../target.ts';
import type { Command, Context, Parameter } from './command.ts';
import { call, commands } from './commands.ts';
import { readable } from './readable.ts';
import { lineOf, plain } from './usage-fault.ts';

/** Where the command line writes. Printed and shown is a line, or several without the last line's end. */
export interface Terminal {
  readonly print: (text: string) => void;
  /** Writes long output to standard output; resolves when more can follow. */
  readonly write: (text: string) => Promise<void>;
  readonly progress: (text: string) => void;
  /** How many characters fit in a line; nothing where it writes to no terminal. */
  readonly columns?: number | undefined;
  /** Reads all of standard input. */
  readonly input: () => Promise<string>;
}

/**
 * Runs the admin command line. Resolves to whether the command did all it was asked for; throws OperatorError, or
 * what the command failed with.
 */
export const runAdmin = async (args: readonly string[], terminal: Terminal): Promise<boolean> => {
  refuseKeptFlags({ name: 'admin', flags: targetFlags }, process.env);
  const outcome = { ok: true };
  const program = programOf(commands, { ...terminal, fail: () => (outcome.ok = false) });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new OperatorError(lineOf(error, args));
  }
  return outcome.ok;
};

/** Without these, a command would work elsewhere. npm has a setting `dry-run`, which some have switched on. */
const targetFlags = ['stack', 'region', 'data'];

/** Options that every command takes. */
interface Common {
  readonly data?: string;
  readonly stack?: string;
  readonly region?: string;
  readonly json?: boolean;
}

type Output = Pick<Context, 'fail'> & Terminal;

const programOf = (all: readonly Command[], output: Output): Commander => {
  const program = new Commander(call)
    .usage('NOUN VERB … [options]')
    .addOption(
      new Option(
        '--data <DIR>',
        'the data folder of a running local stack (default without --stack: .local)',
      ).conflicts('stack'),
    )
    .option('--stack <NAME>', 'a deployed CloudFormation stack, with the AWS credentials of your environment')
    .option(
      '--region <REGION>',
      "the stack's region (default: the deployment's, AWS_REGION, AWS_DEFAULT_REGION, your profile's)",
    )
    .option('--json', 'print one JSON value and nothing else')
    .helpOption('-h, --help', 'show this help and do nothing else')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: () => undefined,
      outputError: () => undefined,
    })
    .configureHelp({
      showGlobalOptions: true,
      // The longest terms would leave less of 80 columns than commander takes for enough.
      minWidthToWrap: 30,
      visibleCommands: leaves,
      subcommandTerm: termOf,
      optionTerm: ({ flags }) => plain(flags),
      // Choices stand in the option's name already.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
    });
  for (const [noun, verbs] of Map.groupBy(all, ({ name }) => name.split(' ')[0] ?? '')) {
    // A one-word command is its own verb.
    const isAlone = verbs.some(({ name }) => name === noun);
    const parent = isAlone ? program : program.command(noun).usage('VERB …').helpCommand(false);
    for (const verb of verbs) attach(parent, verb, output);
  }
  return program.helpCommand(false).addHelpText('after', `\n'${call} NOUN VERB --help' explains a command.`);
};

const leaves = (of: Commander): Commander[] =>
  of.commands.length === 0
    ? []
    : of.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));

/** A command as help lists it: its name and what must be given. */
const termOf = (verb: Commander): string =>
  [verb.parent?.parent && verb.parent.name(), verb.name(), usageOf(verb)].filter(Boolean).join(' ');

const usageOf = (verb: Commander): string =>
  [
    ...verb.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`)),
    ...verb.options.filter(({ mandatory }) => mandatory).map((one) => plain(one.flags)),
  ].join(' ');

const attach = (parent: Commander, command: Command, output: Output): void => {
  const { name, summary, arguments: takes, options, run } = command;
  const verb = parent.command(name.split(' ').at(-1) ?? '').description(summary);
  for (const parameter of Object.values(takes)) verb.addArgument(argumentOf(parameter));
  for (const [option, parameter] of Object.entries(options)) verb.addOption(optionOf(option, parameter));
  verb.usage(`${usageOf(verb)} [options]`.trim());
  verb.action(async () => {
    const common = verb.optsWithGlobals<Common>();
    const given = {
      ...values(takes, {
        given: (_, position) => verb.args[position],
        shown: (argument) => takes[argument]?.placeholder ?? argument,
      }),
      ...values(options, { given: (option) => verb.getOptionValue(option), shown: flagOf }),
    };
    const result = await run(given, contextOf(common, output));
    if (result !== undefined) output.print(common.json ? JSON.stringify(result) : readable(result as object));
  });
};

const argumentOf = ({ placeholder, description, required, choices }: Parameter<unknown>): Argument => {
  const argument = new Argument(required ? `<${placeholder}>` : `[${placeholder}]`, description);
  return choices ? argument.choices(choices) : argument;
};

const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const optionOf = (name: string, parameter: Parameter<unknown>): Option => {
  const { placeholder, description, required, several, choices } = parameter;
  const value = placeholder === undefined ? '' : ` <${placeholder}${several ? '...' : ''}>`;
  const option = new Option(flagOf(name) + value, description).makeOptionMandatory(required === true);
  return choices ? option.choices(choices) : option;
};

interface Source {
  readonly given: (name: string, position: number) => string | readonly string[] | boolean | undefined;
  /** A parameter's name on the command line. */
  readonly shown: (name: string) => string;
}

const values = (parameters: Command['options'], { given, shown }: Source) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, { read, several }], position) => {
      const value = given(name, position);
      const one = (text: unknown) => read(String(text), shown(name));
      if (several) return [name, [...new Set([value ?? []].flat().flatMap(one))]];
      return [name, value === undefined ? undefined : one(value)];
    }),
  );

const contextOf = ({ data = '.local', stack, region, json = false }: Common, output: Output): Context => {
  if (region !== undefined && stack === undefined) throw new OperatorError('--region goes with --stack');
  let target: ReturnType<Context['target']> | undefined;
  return {
    target: () => {
      target ??= stack === undefined ? localTarget(data) : deployedTarget(stack, region);
      return target;
    },
    place: { data, ...(stack !== undefined && { stack }), ...(region !== undefined && { region }) },
    isJson: json,
    print: output.print,
    write: output.write,
    columns: output.columns,
    progress: output.progress,
    input: output.input,
    fail: output.fail,
  };
};

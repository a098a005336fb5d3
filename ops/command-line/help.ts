import { type Command as Commander, Help, type HelpConfiguration, type Option } from 'commander';
import type { Command } from './command.ts';
import { dlsCommand, groupOf } from './commands.ts';

/** The definition of each command. */
export const commandDefinitions = new WeakMap<Commander, Command>();

export const headingOf = (command: Command | undefined): string =>
  command === undefined ? '' : `${groupOf(command)}:`;

/** The name of a command and its required arguments. */
const termOf = (verb: Commander): string => [nameOf(verb), usageOf(verb)].filter(Boolean).join(' ');

const nameOf = (verb: Commander): string =>
  [verb.parent?.parent && verb.parent.name(), verb.name()].filter(Boolean).join(' ');

export const usageOf = (verb: Commander): string =>
  [
    ...verb.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`)),
    ...verb.options.filter(({ mandatory }) => mandatory).map((one) => withoutBrackets(one.flags)),
  ].join(' ');

const leaves = (of: Commander): Commander[] =>
  of.commands.length === 0
    ? []
    : of.commands.flatMap((one) => (one.commands.length > 0 ? leaves(one) : [one]));

const globalOptions = (of: Commander): Option[] => {
  const definition = commandDefinitions.get(of);
  const isTaken = ({ long }: Option) =>
    !definition ||
    (long === '--json' && !definition.isPassedOn) ||
    definition.place.some((name) => `--${name}` === long);
  return Object.assign(new Help(), { showGlobalOptions: true }).visibleGlobalOptions(of).filter(isTaken);
};

/** The help of a command, or of all commands of a noun. */
export const details: HelpConfiguration = {
  showGlobalOptions: true,
  // The longest terms leave less of 80 columns than commander's minimum.
  minWidthToWrap: 30,
  visibleCommands: leaves,
  visibleGlobalOptions: globalOptions,
  subcommandTerm: termOf,
  // Without former verbs, which commander would show.
  commandUsage: (verb) => [verb.parent && dlsCommand, nameOf(verb), verb.usage()].filter(Boolean).join(' '),
  optionTerm: ({ flags }) => withoutBrackets(flags),
  // The option's name already shows its choices.
  optionDescription: ({ description }) => description,
  argumentDescription: ({ description }) => description,
};

/** The help of the program: a line per command, with the beginning of its summary. */
export const overview: HelpConfiguration = {
  ...details,
  subcommandTerm: nameOf,
  subcommandDescription: (verb) => /^[^,;:(]*[^,;:(\s]/.exec(verb.description())?.[0] ?? '',
};

/** Names of values without brackets. */
export const withoutBrackets = (flags: string): string => flags.replaceAll(/[<>]/g, '');

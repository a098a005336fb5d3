import type { CommanderError } from 'commander';
import { fieldAliases } from '../../core/links/foreign-names.ts';
import { deploymentOptions, flagOf } from './command.ts';
import { commands, dlsCommand } from './commands.ts';
import { optionsOf } from './completion.ts';
import { withoutBrackets } from './help.ts';
import { flagsAdvice, scriptOf } from './stray-argument.ts';
import { asking, commandsLike, optionLike, withVerb } from './suggestion.ts';

/** Commander's message about wrong arguments as one line: the fault, and a suggestion or a reference to help. */
export const lineOf = (
  { code, message }: CommanderError,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): string => {
  const name = nameIn(args);
  const help = `; see '${[dlsCommand, ...name].join(' ')} --help'`;
  const messageOf = (problem: string, meant: readonly string[] = [], advice = '') =>
    problem + advice + (meant.length > 0 ? `.${asking(meant)}` : help);
  if (code === 'commander.help') return messageOf(`'${name[0]}' needs a subcommand`, withVerb(name[0] ?? ''));
  if (code === 'commander.unknownCommand') {
    const words = wordsOf(args);
    if (words[0] === 'qr')
      return "Unknown command 'qr': a link's QR code is at its short URL with /qr.png or /qr.svg at the end";
    return messageOf(`Unknown command '${words.join(' ')}'`, commandsLike(words));
  }
  // Commander checks missing options first, and a misspelt one is missing.
  const option = /unknownOption|missingMandatory/.test(code) ? unknownOption(args, name) : undefined;
  if (option !== undefined) return messageOf(`Unknown option '${option}'`, meantBy(option, name));
  const line = withoutBrackets(message)
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*') is invalid for argument '.*'\./, "$1 isn't a valid value.")
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  const script = scriptOf(environment);
  const advice =
    script !== undefined && lacksFlags(args, name)
      ? ` ${flagsAdvice(`${script} ${[...name, '--data DIR'].join(' ')}`)}`
      : '';
  const lacksProject = line.includes("'--project ID'") && !advice;
  const instead = lacksProject
    ? `. DLS_PROJECT also sets it; '${dlsCommand} project list' lists projects`
    : '';
  return messageOf(`${line.charAt(0).toUpperCase()}${line.slice(1)}`, [], advice) + instead;
};

const takesValue = deploymentOptions.map(flagOf);

/** Options that may come before commands. */
const globalOptions = ['--json', ...takesValue, '--help', '--version'];

/** The noun and the verb as typed, without options before them. */
const wordsOf = (args: readonly string[]): readonly string[] =>
  args
    .filter((word, place) => !word.startsWith('-') && !takesValue.includes(args[place - 1] ?? ''))
    .slice(0, 2);

const commandOf = (name: readonly string[]) => commands.find((one) => one.name === name.join(' '));

const knownOptions = (name: readonly string[]): readonly string[] => {
  const called = commandOf(name);
  return called ? optionsOf(called) : globalOptions;
};

/** The first option that the command doesn't have. */
const unknownOption = (args: readonly string[], name: readonly string[]): string | undefined =>
  (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)
    .map((word) => word.split('=', 1)[0] ?? '')
    .find((word) => word.startsWith('--') && !knownOptions(name).includes(word));

/** Other words for options. */
const synonyms: Readonly<Record<string, string>> = {
  ...{ '--clicks': '--visits', '--hits': '--visits', '--requests': '--calls' },
  ...{ '--tags': '--tag', '--id': '--project', '--max': '--limit', '--force': '--yes' },
};

/** The command's option for a synonym, or the one with the fewest mistakes. */
const meantBy = (option: string, name: readonly string[]): string[] => {
  const known = knownOptions(name);
  const plainly = (text: string) => text.replaceAll(/[-_]/g, '').toLowerCase();
  const foreign = fieldAliases.ofNewLink([]).find(([other]) => plainly(other) === plainly(option))?.[1];
  const ours = `--${foreign?.split('.').at(-1)?.replace('expiresAt', 'expires')}`;
  const meant = [ours, synonyms[option]].find((one) => one !== undefined && known.includes(one));
  if (meant !== undefined) return [meant];
  const longer = known.filter((one) => one.startsWith(`${option}-`));
  const found = optionLike(option, known);
  return longer.length > 0 ? longer.slice(0, 3) : [found ?? []].flat();
};

/** The existing command, or noun, that the arguments name. */
const nameIn = (args: readonly string[]): readonly string[] => {
  const [noun = '', verb = ''] = wordsOf(args);
  if (commandOf([noun, verb])) return [noun, verb];
  return commands.some(({ name }) => `${name} `.startsWith(`${noun} `)) ? [noun] : [];
};

/** Whether there are more arguments than a command takes, and no flag that they could belong to. */
const lacksFlags = (args: readonly string[], name: readonly string[]): boolean => {
  const called = commandOf(name);
  if (!called || args.some((one) => one.startsWith('-'))) return false;
  return args.length > name.length + Object.keys(called.arguments).length;
};

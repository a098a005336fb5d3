import type { Command, CommanderError } from 'commander';
import { flagsAdvice, scriptOf } from '../stray-argument.ts';
import { nearestName } from '../transfer/unknown-columns.ts';
import { call, commands } from './commands.ts';
import { optionsOf } from './completion.ts';

/** Commander's message about wrong arguments as one line that names the help to read. */
export const lineOf = (
  { code, message }: CommanderError,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): string => {
  const name = nameIn(args);
  const called = [call, ...name].join(' ');
  const help = `see '${called} --help'`;
  if (code === 'commander.help') return `'${name[0]}' needs a verb${meant(args, 1)}: ${help}`;
  // Commander looks for missing options first, and a misspelt one is missing.
  const misspelt = /unknownOption|missingMandatory/.test(code) ? unknownOption(args, name) : undefined;
  const line = (misspelt ?? plain(message))
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*') is invalid for argument '.*'\./, '$1 is none of the choices.')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  const unknown = code === 'commander.unknownCommand' ? meant(args, name.length + 1) : '';
  const script = scriptOf(environment);
  const advice =
    script !== undefined && lacksFlags(args, name)
      ? ` ${flagsAdvice(`${script} ${[...name, '--data DIR'].join(' ')}`)}`
      : '';
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${unknown}${advice}; ${help}`;
};

/** Commander would count the arguments that are too many, and not name them. */
export const refuseExcess = (verb: Command): void => {
  const most = verb.registeredArguments.length;
  const excess = verb.args.slice(most).map((word) => `'${word}'`);
  if (excess.length === 0) return;
  const counts = `Expected ${most} ${most === 1 ? 'argument' : 'arguments'} but got ${verb.args.length}`;
  verb.error(`too many arguments: ${excess.join(', ')}. ${counts}`, { code: 'commander.excessArguments' });
};

/** Other words for verbs and nouns of commands. */
const synonyms: Readonly<Record<string, string>> = {
  ls: 'list',
  rm: 'delete',
  remove: 'delete',
  edit: 'update',
  change: 'update',
  get: 'show',
  add: 'create',
  new: 'create',
  links: 'link',
  projects: 'project',
  keys: 'key',
  domains: 'domain',
  run: 'start',
  serve: 'start',
};

/** Whole commands that may be meant by words that name none: with a synonym, or with the same verb elsewhere. */
const meant = (args: readonly string[], unknown: number): string => {
  const likely = args.map((word) => (Object.hasOwn(synonyms, word) ? synonyms[word] : word));
  const named = (words: number) => commands.filter(({ name }) => name === likely.slice(0, words).join(' '));
  const word = args[unknown - 1];
  const elsewhere = commands.filter(({ name }) => name.endsWith(` ${word}`));
  const found = [named(2), named(1), elsewhere].find((some) => some.length > 0) ?? [];
  const names = found.slice(0, 3).map(({ name }) => `'${name}'`);
  return names.length === 0 ? '' : ` (did you mean ${names.join(' or ')}?)`;
};

/** The first option that the command doesn't have, and the one that may be meant. */
const unknownOption = (args: readonly string[], name: readonly string[]): string | undefined => {
  const called = commands.find((one) => one.name === name.join(' '));
  if (!called) return undefined;
  const known = optionsOf(called);
  const unknown = (args.includes('--') ? args.slice(0, args.indexOf('--')) : args)
    .map((word) => word.split('=', 1)[0] ?? '')
    .find((word) => word.startsWith('--') && !known.includes(word));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, known);
  return `unknown option '${unknown}'${near === undefined ? '' : ` (did you mean ${near}?)`}`;
};

/** The noun and the verb that arguments name, as far as there are such. */
const nameIn = (args: readonly string[]): readonly string[] => {
  const names = commands.map(({ name }) => name.split(' '));
  const whole = names.find(
    ([noun = '', verb = '']) => args.includes(noun) && args[args.indexOf(noun) + 1] === verb,
  );
  return whole ?? names.find(([noun = '']) => args.includes(noun))?.slice(0, 1) ?? [];
};

/** Whether there are more arguments than a command takes, and no flag that they could belong to. */
const lacksFlags = (args: readonly string[], name: readonly string[]): boolean => {
  const called = commands.find((one) => one.name === name.join(' '));
  if (!called || args.some((one) => one.startsWith('-'))) return false;
  return args.length > name.length + Object.keys(called.arguments).length;
};

/** Names of values without brackets. */
export const plain = (flags: string): string => flags.replaceAll(/[<>]/g, '');

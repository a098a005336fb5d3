import type { CommanderError } from 'commander';
import { flagsAdvice } from '../stray-argument.ts';
import { call, commands } from './commands.ts';

/** Commander's message about wrong arguments as one line that names the help to read. */
export const lineOf = ({ code, message }: CommanderError, args: readonly string[]): string => {
  const name = nameIn(args);
  const called = [call, ...name].join(' ');
  const help = `see '${called} --help'`;
  if (code === 'commander.help') return `'${name[0]}' needs a verb: ${help}`;
  const line = plain(message)
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  const advice = lacksFlags(args, name) ? ` ${flagsAdvice(`${called} --data DIR`)}` : '';
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${advice}; ${help}`;
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

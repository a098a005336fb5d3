import { nearestName } from '../transfer/unknown-columns.ts';
import { commands } from './commands.ts';

/** The question whether one of these names was meant. No other command runs instead. */
export const asking = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${names.map((name) => `'${name}'`).join(' or ')}?`;

const split = commands.map(({ name }) => name.split(' ') as [noun: string, verb?: string]);
const nouns = [...new Set(split.map(([noun]) => noun))];

/** Synonyms of the commands' verbs and nouns. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(nouns.map((noun) => [`${noun}s`, [noun]])),
  ls: ['list'],
  rm: ['delete', 'remove'],
  del: ['delete', 'remove'],
  delete: ['remove', 'revoke'],
  remove: ['delete', 'revoke'],
  edit: ['update', 'rename'],
  change: ['update', 'rename'],
  get: ['show', 'list'],
  show: ['list'],
  info: ['show'],
  add: ['create', 'assign'],
  new: ['create', 'add'],
  create: ['add', 'assign'],
  stats: ['analytics'],
  run: ['start'],
  serve: ['start'],
  dev: ['start'],
  stop: ['pause', 'suspend', 'block'],
  disable: ['pause', 'suspend', 'block'],
  enable: ['activate', 'resume', 'unblock'],
  ban: ['block'],
  host: ['domain'],
  hosts: ['domain'],
  version: ['--version'],
};

const meaningsOf = (word: string): readonly string[] => [
  word,
  ...(Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : []),
];

const meantOf = (word: string, known: readonly string[]): string | undefined =>
  meaningsOf(word).find((one) => known.includes(one));

/** The name with the fewest mistakes, at most two. */
const nearest = (word: string, known: readonly string[]): string | undefined =>
  nearestName(word, known, Math.min(2, word.length - 1));

const verbsOf = (noun: string): string[] =>
  split.flatMap(([one, verb]) => (one === noun && verb !== undefined ? [verb] : []));

/** Commands that unknown words may mean. */
export const commandsLike = ([first = '', second]: readonly string[]): string[] => {
  const meant = meantOf(first, [...nouns, '--version']);
  const elsewhere = meant === undefined ? withVerb(first) : [];
  if (elsewhere.length > 0) return elsewhere;
  const noun = meant ?? nearest(first, nouns);
  if (noun === undefined) return [];
  const verbs = verbsOf(noun);
  if (verbs.length === 0) return [noun];
  const verb = meantOf(second ?? 'list', verbs) ?? nearest(second ?? 'list', verbs);
  if (verb !== undefined) return [`${noun} ${verb}`];
  return noun === first ? [] : [noun];
};

/** Commands with a verb that was typed without a noun, those of links first. */
export const withVerb = (word: string): string[] => {
  const verbs = meaningsOf(word);
  return split
    .filter(([, verb]) => verb !== undefined && verbs.includes(verb))
    .map((words) => words.join(' '))
    .sort((one, other) => Number(other.startsWith('link ')) - Number(one.startsWith('link ')))
    .slice(0, 3);
};

/** Options that other programs and commands have. */
const optionSynonyms: Readonly<Record<string, string>> = { '--output': '--out', '--interval': '--days' };

/** The option that was meant, or the one with the fewest mistakes. */
export const optionLike = (option: string, known: readonly string[]): string | undefined =>
  known.find((one) => one === optionSynonyms[option]) ??
  nearestName(option, known, Math.min(2, option.length - 3));

import type { Item } from '../table/table.ts';
import type { HourAmounts } from './figure-items.ts';
import { figureNames } from './figures.ts';

/** One addition to an owner's figures. */
export interface RecentAddition {
  /** The owner's first addition has 1. */
  readonly number: number;
  readonly hours: readonly HourAmounts[];
}

/** What an item of figures says of the additions that days and hours may lack. */
export interface Recent {
  /** All additions up to this number are in the days and hours. */
  readonly settled: number;
  readonly texts: readonly string[];
}

/**
 * The most frequent names of figures, in a letter each; `n`, `u`, `e` and `f` stand for themselves. A letter never
 * changes its meaning: what one version writes, the next one settles.
 */
const names: Readonly<Record<string, string>> = {
  n: figureNames.clicks,
  u: figureNames.uniques,
  e: figureNames.opens,
  f: figureNames.firstOpens,
  a: 'p#android',
  i: 'p#ios',
  w: 'p#web',
  l: 't#link',
  q: 't#qr',
  d: 'r#direct',
  C: 'b#chrome',
  S: 'b#safari',
  V: 'b#webview',
  M: 'b#samsung-internet',
  E: 'b#edge',
  F: 'b#firefox',
  A: 'o#android',
  I: 'o#ios',
  X: 'o#macos',
  W: 'o#windows',
};
const letters = new Map(Object.entries(names).map(([letter, name]) => [name, letter]));

/** What separates words and parts of a text, and what replaces it within names. */
const separators = / |\||%/g;
const replaced = /%(20|7c|25)/g;

const wordOf = (name: string): string =>
  /^c#[A-Z]{2}$/.test(name)
    ? name.slice(2)
    : name.replace(separators, (one) => `%${one.charCodeAt(0).toString(16)}`);

const nameOf = (word: string): string =>
  /^[A-Z]{2}$/.test(word)
    ? `c#${word}`
    : word.replace(replaced, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/**
 * One text for each addition, because the local engine and DynamoDB charge by attribute and byte. Names that
 * grew by the same amount in the same hour stand together: `ai34 1 nuadCAl DE r#example.com`.
 */
export const writeAddition = (hours: readonly HourAmounts[]): string =>
  hours
    .flatMap(({ hour, amounts }) =>
      [...Map.groupBy(amounts, ([, amount]) => amount)].map(([amount, grown]) => {
        const grownNames = grown.map(([name]) => name);
        const short = grownNames.map((name) => letters.get(name) ?? '').join('');
        const long = grownNames.filter((name) => !letters.has(name)).map(wordOf);
        return [hour.toString(36), amount.toString(36), short, ...long].join(' ');
      }),
    )
    .join('|');

const readAddition = (text: string): HourAmounts[] =>
  text.startsWith('[') ? readLongAddition(text) : text.split('|').map(readPart);

const readPart = (part: string): HourAmounts => {
  const [hour = '', amount = '', short = '', ...long] = part.split(' ');
  const grownNames = [...[...short].map((letter) => names[letter] ?? letter), ...long.map(nameOf)];
  const grownBy = Number.parseInt(amount, 36);
  return { hour: Number.parseInt(hour, 36), amounts: new Map(grownNames.map((name) => [name, grownBy])) };
};

/** As additions were written at first: in JSON, with whole names. */
const readLongAddition = (text: string): HourAmounts[] =>
  (JSON.parse(text) as [hour: number, amount: number, ...names: string[]][]).map(
    ([hour, amount, ...names]) => ({ hour, amounts: new Map(names.map((name) => [name, amount])) }),
  );

export const recentOf = (item: Item | undefined): Recent => ({
  settled: Number(item?.[figureNames.settled] ?? 0),
  texts: (item?.[figureNames.recent] ?? []) as string[],
});

export const readAdditions = ({ settled, texts }: Recent): RecentAddition[] =>
  texts.map((text, i) => ({ number: settled + 1 + i, hours: readAddition(text) }));

/** Once an addition is made. What was returned with its own update is in the same order as the item's list. */
export const withAddition = ({ settled, texts }: Recent, text: string): Recent => ({
  settled,
  texts: [...texts, text],
});

/** Whether the texts have this many characters together. */
export const isDue = ({ texts }: Recent, characters: number): boolean =>
  texts.length > 0 && texts.reduce((sum, text) => sum + text.length, 0) >= characters;

/** The parts of an update that makes an addition; `SET` goes in front of the expression. */
export const appending = {
  expression: '#q = list_append(if_not_exists(#q, :none), :recent)',
  names: { '#q': figureNames.recent },
  values: (text: string) => ({ ':none': [], ':recent': [text] }),
};

// Until 1.3.0: part of the upgrade from 1.0.0.

/** What 1.0.0 added in one hour of UTC; hours count from the epoch. */
interface HourAmounts {
  readonly hour: number;
  readonly amounts: ReadonlyMap<string, number>;
}

/** The most frequent names of figures, which 1.0.0 wrote as a letter each. */
const names: Readonly<Record<string, string>> = {
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

/** One addition, such as `ai34 1 nuadCAl DE r#example.com`: hour, amount, letters, and whole names of what grew by it. */
export const readAddition = (text: string): HourAmounts[] =>
  text.startsWith('[') ? readLongAddition(text) : text.split('|').map(readPart);

const readPart = (part: string): HourAmounts => {
  const [hour = '', amount = '', short = '', ...long] = part.split(' ');
  const grown = [...[...short].map((letter) => names[letter] ?? letter), ...long.map(nameOf)];
  const by = Number.parseInt(amount, 36);
  return { hour: Number.parseInt(hour, 36), amounts: new Map(grown.map((name) => [name, by])) };
};

const nameOf = (word: string): string =>
  /^[A-Z]{2}$/.test(word)
    ? `c#${word}`
    : word.replace(/%(20|7c|25)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** In JSON, with whole names, as the first additions were written. */
const readLongAddition = (text: string): HourAmounts[] =>
  (JSON.parse(text) as [hour: number, amount: number, ...names: string[]][]).map(
    ([hour, amount, ...grown]) => ({ hour, amounts: new Map(grown.map((name) => [name, amount])) }),
  );

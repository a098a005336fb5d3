import type { Dice } from '../support/dice.ts';

export type Value = Readonly<Record<string, unknown>>;
export type Item = Record<string, Value>;

const texts = ['a', 'b', 'ab', 'B', 'é', '😀', '\uffff', 'a b', '', 'x'.repeat(40)];
const numbers = '0 1 -1 2 3 5 10 1.5 0.1 -0 07 1.0 1e3 1e-7 1E-130'.split(' ');
const longNumbers = [
  '12345678901234567890123456789012345678',
  '-99999999999999999999999999999999999999',
  '9.9999999999999999999999999999999999999E+125',
  '0.00000000000000000000000000000000000001',
  '9007199254740993',
  '123456789012345678.12345678901234567890',
];
const wrongNumbers = ['abc', '', '1e126', '1E-131', '1234567890'.repeat(4).slice(0, 39), 'NaN', '0x1', '1 '];
const binaries = ['AA==', '/w==', 'AAEC', 'YWI=', ''];

export const types = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'] as const;

/** Attributes of the items that calls are about, with the type that each usually has. */
export const attributes: Readonly<Record<string, (typeof types)[number]>> = {
  n: 'N',
  s: 'S',
  b: 'B',
  t: 'BOOL',
  m: 'M',
  l: 'L',
  ss: 'SS',
  ns: 'NS',
  bs: 'BS',
  status: 'S',
  'a-b.c': 'N',
};

const some = <One>(dice: Dice, from: readonly One[]): One[] => {
  const chosen = from.filter(() => dice.once(2));
  return chosen.length > 0 ? chosen : [dice.pick(from)];
};

export const numberOf = (dice: Dice): string => dice.pick(dice.once(4) ? longNumbers : numbers);

export function valueOfType(dice: Dice, type: string, depth = 0): Value {
  const inner = () =>
    valueOfType(dice, dice.pick(depth > 1 ? ['S', 'N'] : ['S', 'N', 'M', 'L', 'NULL']), depth + 1);
  switch (type) {
    case 'S':
      return { S: dice.pick(texts) };
    case 'N':
      return { N: numberOf(dice) };
    case 'B':
      return { B: dice.pick(binaries) };
    case 'BOOL':
      return { BOOL: dice.once(2) };
    case 'NULL':
      return { NULL: true };
    case 'SS':
      return { SS: some(dice, ['a', 'b', 'c', 'é']) };
    case 'NS':
      return { NS: some(dice, ['1', '2', '3.5', '-1']) };
    case 'BS':
      return { BS: some(dice, ['AA==', '/w==', 'AAEC']) };
    case 'L':
      return { L: Array.from({ length: dice.below(4) }, inner) };
    default:
      return {
        M: Object.fromEntries(some(dice, ['x', 'y', 'z', 'constructor']).map((name) => [name, inner()])),
      };
  }
}

/** A value that DynamoDB doesn't take, or takes in other clothes. */
export function oddValue(dice: Dice): Value {
  return dice.pick<Value>([
    { N: dice.pick(wrongNumbers) },
    { SS: [] },
    { SS: ['a', 'a'] },
    { NS: ['1', '1.0'] },
    { NS: ['1', 'x'] },
    { SS: [''] },
    { BS: ['AA==', 'AA=='] },
    { S: 'a', N: '1' },
    {},
    { NULL: false },
    { L: [{ N: 'x' }] },
    { M: { x: { SS: [] } } },
    { M: { '': { S: 'a' } } },
    { L: [{}] },
  ]);
}

const anyValue = (dice: Dice): Value => valueOfType(dice, dice.pick(types));

export const usualValue = (dice: Dice, name: string): Value =>
  dice.once(6) ? anyValue(dice) : valueOfType(dice, attributes[name] ?? 'S');

/** Attributes besides the key. */
export function contentOf(dice: Dice): Item {
  const names = Object.keys(attributes).filter(() => dice.once(2));
  const item: Item = Object.fromEntries(names.map((name) => [name, usualValue(dice, name)]));
  if (dice.once(40)) item.odd = oddValue(dice);
  return item;
}

/** A number in any spelling, often at the limits of digits and exponents. */
export const oddNumber = (dice: Dice): string => {
  const digits = (most: number) =>
    Array.from({ length: dice.below(most + 1) }, () => dice.below(10)).join('');
  const whole = dice.pick([digits(4), digits(39), `${digits(2)}${'0'.repeat(dice.below(130))}`]);
  const fraction = dice.pick(['', '', `.${digits(39)}`, `.${'0'.repeat(dice.below(130))}${digits(5)}`]);
  const exponent = dice.pick(['', '', `e${dice.below(300) - 150}`, `E+${dice.below(130)}`, 'e']);
  return `${dice.pick(['', '', '-', '+'])}${whole}${fraction}${exponent}`;
};

/** Content whose bytes with `used` ones are at most three from the largest item. */
export const largeContent = (dice: Dice, used: number): Item => {
  const name = 'x'.repeat(1 + dice.below(3));
  const letter = dice.pick(['a', 'é', '😀']);
  const room = 400 * 1024 - used - name.length + dice.below(7) - 3;
  const width = Buffer.byteLength(letter);
  const text = letter.repeat(Math.floor(room / width)) + 'a'.repeat(room % width);
  return { [name]: { S: text } };
};

import * as fc from 'fast-check';
import { itemSize } from '../../event-source-mapping/item-size.ts';

type Value = Readonly<Record<string, unknown>>;

/** Texts that JSON escapes, and those that need more than a byte a character. */
const text = fc.oneof(
  fc.string(),
  // The unit `binary` takes fast-check a second to prepare.
  fc.string({ unit: fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed()) }),
  fc.constantFrom('"', '\\', '\\\\"', '}]{['),
);
const number = fc.constantFrom('0', '42', '12345', '-42', '-0.001', '1.5', '1E-130', '9.99E+125', '100');
const bytes = fc.uint8Array().map((some) => Buffer.from(some).toString('base64'));

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    fc.array(text, { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
    fc.array(number, { minLength: 1, maxLength: 3 }).map((NS) => ({ NS })),
    fc.array(bytes, { minLength: 1, maxLength: 3 }).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }).map((M) => ({ M })),
  ),
}));

/** The same by the parsed item. */
const sizeOf = (item: Value): number =>
  Object.entries(item).reduce(
    (sum, [name, one]) => sum + Buffer.byteLength(name) + valueSize(one as Value),
    0,
  );

const valueSize = (attribute: Value): number => {
  const [[type, held] = ['', undefined]] = Object.entries(attribute);
  if (type === 'S') return Buffer.byteLength(held as string);
  if (type === 'N') return numberSize(held as string);
  if (type === 'B') return Buffer.from(held as string, 'base64').length;
  if (type === 'BOOL' || type === 'NULL') return 1;
  if (type === 'M') return 3 + sizeOf(held as Value) + Object.keys(held as Value).length;
  const all = held as readonly unknown[];
  if (type === 'L') return all.reduce<number>((sum, one) => sum + valueSize(one as Value) + 1, 3);
  return all.reduce<number>((sum, one) => sum + valueSize({ [type.charAt(0)]: one }), 0);
};

const numberSize = (number: string): number => {
  const [digits = ''] = number.replace('-', '').replace('.', '').split('E');
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  return Math.ceil(significant.length / 2) + (number.startsWith('-') ? 2 : 1);
};

test('the size of an item follows from its JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (item) => {
      expect(itemSize(JSON.stringify(item))).toBe(sizeOf(item));
    }),
    { numRuns: 300 },
  );
});

test('an item that is cut off is refused', () => {
  expect(() => itemSize('{"a":{"S":"bc')).toThrow('cut off');
});

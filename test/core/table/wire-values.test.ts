import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { itemOfWire, wireItem } from '../../../core/table/wire-values.ts';
import { runs } from '../../support/nightly.ts';

/** The SDK loses an attribute named `__proto__`; ours keeps it. */
const name = fc.string().filter((one) => one !== '__proto__');

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((texts) => new Set(texts)),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const items = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true });

test("values are written and read like the SDK's", () => {
  fc.assert(
    fc.property(items, (item) => {
      const wire = marshall(item, { removeUndefinedValues: true });
      expect(wireItem(item)).toEqual(wire);
      expect(itemOfWire(wireItem(item))).toEqual(unmarshall(wire));
    }),
    { numRuns: runs(150) },
  );
});

test('an attribute named __proto__ is kept', () => {
  const item = JSON.parse('{"__proto__": "text"}');
  expect(JSON.stringify(wireItem(item))).toBe('{"__proto__":{"S":"text"}}');
  expect(JSON.stringify(itemOfWire(wireItem(item)))).toBe('{"__proto__":"text"}');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, new Date(), new Set([1]), new Set(['a', 1])])(
  'values without a type in DynamoDB or the service are refused: %p',
  (odd) => {
    expect(() => wireItem({ odd })).toThrow("can't keep");
  },
);

test('stored types that the service never writes are refused', () => {
  expect(() => itemOfWire({ data: { B: 'AAE=' } })).toThrow('of the type B');
});

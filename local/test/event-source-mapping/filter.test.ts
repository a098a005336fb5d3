import fc from 'fast-check';
import { compileFilters } from '../../event-source-mapping/filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: {
    SizeBytes: 120,
    Keys: { PK: { S: 'ORDER#1' } },
    NewImage: { state: { S: 'Paid' }, total: { N: '101' }, tags: { SS: ['a', 'b'] }, gone: { NULL: true } },
  },
};
const image = (pattern: object) => ({ dynamodb: { NewImage: pattern } });

test.each<[string, object, boolean]>([
  ['an exact value', { eventName: ['INSERT'] }, true],
  ['another value', { eventName: ['REMOVE'] }, false],
  ['one of several values', { eventName: ['REMOVE', 'INSERT'] }, true],
  ['every field, all right', { eventName: ['INSERT'], dynamodb: { Keys: { PK: { S: ['ORDER#1'] } } } }, true],
  [
    'every field, one wrong',
    { eventName: ['INSERT'], dynamodb: { Keys: { PK: { S: ['ORDER#2'] } } } },
    false,
  ],
  ['a prefix', { dynamodb: { Keys: { PK: { S: [{ prefix: 'ORDER#' }] } } } }, true],
  ['another prefix', { dynamodb: { Keys: { PK: { S: [{ prefix: 'RDER#' }] } } } }, false],
  ['a prefix ignoring case', image({ state: { S: [{ prefix: { 'equals-ignore-case': 'PA' } }] } }), true],
  ['a suffix', image({ state: { S: [{ suffix: 'id' }] } }), true],
  ['another suffix', image({ state: { S: [{ suffix: 'ID' }] } }), false],
  ['equality ignoring case', image({ state: { S: [{ 'equals-ignore-case': 'PAID' }] } }), true],
  ['anything but another', image({ state: { S: [{ 'anything-but': 'Open' }] } }), true],
  ['anything but itself', image({ state: { S: [{ 'anything-but': ['Open', 'Paid'] }] } }), false],
  ['anything but a prefix', image({ state: { S: [{ 'anything-but': { prefix: 'Pa' } }] } }), false],
  ['anything but, of what is missing', image({ other: { S: [{ 'anything-but': 'Open' }] } }), false],
  ['what exists', image({ state: { S: [{ exists: true }] } }), true],
  ['what is missing', image({ other: { S: [{ exists: true }] } }), false],
  ['the absence of what is missing', image({ other: { S: [{ exists: false }] } }), true],
  ['the absence of what exists', image({ state: { S: [{ exists: false }] } }), false],
  ['the absence of an object, which is no leaf', image({ state: [{ exists: false }] }), true],
  ['the existence of an object, which is no leaf', image({ state: [{ exists: true }] }), false],
  ['a number', { dynamodb: { SizeBytes: [{ numeric: ['=', 120] }] } }, true],
  ['a range of numbers', { dynamodb: { SizeBytes: [{ numeric: ['>', 100, '<=', 120] }] } }, true],
  ['another range', { dynamodb: { SizeBytes: [{ numeric: ['>=', 100, '<', 120] }] } }, false],
  [
    "a range of DynamoDB's numbers, which are text",
    image({ total: { N: [{ numeric: ['>', 100] }] } }),
    false,
  ],
  ["DynamoDB's numbers as text", image({ total: { N: ['101'] } }), true],
  ['an element of a list', image({ tags: { SS: ['b'] } }), true],
  ['no element of a list', image({ tags: { SS: ['c'] } }), false],
  ['a boolean', image({ gone: { NULL: [true] } }), true],
  ['$or, first', { $or: [{ eventName: ['INSERT'] }, { eventName: ['REMOVE'] }] }, true],
  ['$or, inside', image({ $or: [{ state: { S: ['Open'] } }, { total: { N: ['101'] } }] }), true],
  ['$or, neither', { $or: [{ eventName: ['MODIFY'] }, { eventName: ['REMOVE'] }] }, false],
  ['$or and a field', { eventName: ['REMOVE'], $or: [{ eventName: ['INSERT'] }] }, false],
])('matches %s', (_, pattern, matches) => {
  expect(compileFilters([{ ...pattern }])(record)).toBe(matches);
});

test('passes everything without a filter', () => {
  expect(compileFilters([])(record)).toBe(true);
});

test('passes records that match any of several filters', () => {
  const passes = compileFilters([{ eventName: ['REMOVE'] }, { eventName: ['INSERT'] }]);
  expect(passes(record)).toBe(true);
});

test.each([{ eventName: 'INSERT' }, { eventName: [{ unknown: 1 }] }, { $or: {} }])(
  'refuses %j',
  (pattern) => {
    expect(() => compileFilters([{ ...pattern }])).toThrow('Invalid filter pattern definition');
  },
);

test('matches a record by its own values, and not by others', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.string(), { minKeys: 1 }),
      fc.string(),
      (values, other) => {
        const typed = (to: (value: string) => unknown) =>
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { S: to(value) }]));
        const item = image(typed((value) => value));
        expect(compileFilters([image(typed((value) => [value]))])(item)).toBe(true);
        const differs = Object.values(values).some((value) => value !== other);
        expect(compileFilters([image(typed(() => [other]))])(item)).toBe(!differs);
      },
    ),
  );
});

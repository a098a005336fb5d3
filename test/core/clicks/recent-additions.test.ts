import * as fc from 'fast-check';
import { figureNames, groupPrefixes } from '../../../core/clicks/figures.ts';
import { readAdditions, recentOf, writeAddition } from '../../../core/clicks/recent-additions.ts';
import { anyCharacter } from '../../support/any-character.ts';

const anyName = fc.oneof(
  fc.constantFrom(figureNames.clicks, figureNames.uniques, figureNames.opens, figureNames.firstOpens),
  fc.constantFrom('p#ios', 'p#web', 't#qr', 'r#direct', 'b#chrome', 'o#macos', 'c#DE', 'c#other'),
  fc
    .tuple(fc.constantFrom(...Object.values(groupPrefixes)), fc.string({ unit: anyCharacter }))
    .map(([prefix, name]) => prefix + name),
);
const amounts = fc
  .uniqueArray(fc.tuple(anyName, fc.integer({ min: 1, max: 100 })), {
    selector: ([name]) => name,
    minLength: 1,
  })
  .map((entries) => new Map(entries));
const addition = fc.uniqueArray(fc.record({ hour: fc.nat(600_000), amounts }), {
  selector: ({ hour }) => hour,
});

/** In an order that says nothing. */
const plain = (hours: readonly { readonly hour: number; readonly amounts: ReadonlyMap<string, number> }[]) =>
  hours
    .flatMap(({ hour, amounts }) =>
      [...amounts].map(([name, amount]) => JSON.stringify([hour, name, amount])),
    )
    .sort();

test('additions are read as they were written, with their numbers', () => {
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 4 }), fc.nat(1000), (additions, settled) => {
      const item = {
        [figureNames.recent]: additions.map(writeAddition),
        ...(settled > 0 && { [figureNames.settled]: settled }),
      };
      const read = readAdditions(recentOf(item));
      expect(read.map(({ number }) => number)).toEqual(additions.map((_, i) => settled + 1 + i));
      expect(read.map(({ hours }) => plain(hours))).toEqual(additions.map(plain));
    }),
  );
});

test('stored texts keep their meaning', () => {
  const [addition] = readAdditions({
    settled: 0,
    texts: ['ai34 1 nuefaiwlqdCSVMEFAIXW DE r#a%20b%7cc%25|ai35 2s n'],
  });
  expect(addition?.hours).toEqual([
    {
      hour: 490_000,
      amounts: new Map(
        [
          'n',
          'u',
          'e',
          'f',
          'p#android',
          'p#ios',
          'p#web',
          't#link',
          't#qr',
          'r#direct',
          'b#chrome',
          'b#safari',
        ]
          .concat('b#webview', 'b#samsung-internet', 'b#edge', 'b#firefox', 'o#android', 'o#ios', 'o#macos')
          .concat('o#windows', 'c#DE', 'r#a b|c%')
          .map((name) => [name, 1]),
      ),
    },
    { hour: 490_001, amounts: new Map([['n', 100]]) },
  ]);
});

test('texts with whole names are read, too', () => {
  const [addition] = readAdditions({ settled: 0, texts: ['[[490000,1,"n","c#DE"],[490000,2,"r#a b"]]'] });
  expect(addition?.hours).toEqual([
    {
      hour: 490_000,
      amounts: new Map([
        ['n', 1],
        ['c#DE', 1],
      ]),
    },
    { hour: 490_000, amounts: new Map([['r#a b', 2]]) },
  ]);
});

test('an item without additions has none', () => {
  expect(readAdditions(recentOf(undefined))).toEqual([]);
  expect(readAdditions(recentOf({ n: 3 }))).toEqual([]);
});

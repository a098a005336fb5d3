import * as fc from 'fast-check';
import { figureNames } from '../../../core/clicks/figures.ts';
import { readAdditions, recentOf, writeAddition } from '../../../core/clicks/recent-additions.ts';
import { anyCharacter } from '../../support/any-character.ts';

const amounts = fc
  .uniqueArray(fc.tuple(fc.string({ minLength: 1, unit: anyCharacter }), fc.integer({ min: 1, max: 3 })), {
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

test('an item without additions has none', () => {
  expect(readAdditions(recentOf(undefined))).toEqual([]);
  expect(readAdditions(recentOf({ n: 3 }))).toEqual([]);
});

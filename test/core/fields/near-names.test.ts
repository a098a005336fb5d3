import fc from 'fast-check';
import * as z from 'zod';
import { nearMisses } from '../../../core/fields/near-misses.ts';
import { isNearly } from '../../../core/fields/near-names.ts';
import { runs } from '../../support/nightly.ts';

/** Every text that one edit makes of another, with letters of an alphabet. */
const edited = (text: string, alphabet: string) => {
  const inserted = [...text, ''].flatMap((_, at) =>
    [...alphabet].map((letter) => text.slice(0, at) + letter + text.slice(at)),
  );
  const deleted = [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1));
  const swapped = [...text]
    .slice(1)
    .map((letter, at) => text.slice(0, at) + letter + text[at] + text.slice(at + 2));
  const replaced = [...text].flatMap((_, at) =>
    [...alphabet].map((letter) => text.slice(0, at) + letter + text.slice(at + 1)),
  );
  return { moved: [...inserted, ...deleted], swapped, replaced };
};

/** The rule as it is written: the edits between two names. */
const isNearlyByRule = (name: string, known: string, alphabet: string): boolean => {
  const isEqual = (text: string) => text === known;
  const { moved, swapped, replaced } = edited(name, alphabet);
  const shorter = Math.min(name.length, known.length);
  if (name === known) return name.length >= 3;
  if (name.length >= 4 && moved.some(isEqual)) return true;
  if (name.length >= 3 && swapped.some(isEqual)) return true;
  if (shorter >= 5 && replaced.some(isEqual)) return true;
  if (shorter < 8) return false;
  const plain = [...moved, ...swapped];
  return [...plain, ...replaced].some((once) => {
    const twice = edited(once, alphabet);
    return (
      [...twice.moved, ...twice.swapped].some(isEqual) ||
      (plain.includes(once) && twice.replaced.some(isEqual))
    );
  });
};

const alphabet = 'abc';
const text = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

test('short names are near by the rule for one edit', () => {
  fc.assert(
    fc.property(text(7), text(7), (name, known) => {
      fc.pre(name !== known);
      expect(isNearly(name, known)).toBe(isNearlyByRule(name, known, alphabet));
    }),
    { numRuns: runs(300) },
  );
});

test('one edit, and longer names also two, make a near name, whatever the edits', () => {
  const edits = fc.array(
    fc.record({ kind: fc.constantFrom('moved', 'swapped', 'replaced'), place: fc.nat() }),
    {
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(text(10, 2), edits, (known, chosen) => {
      const name = chosen.reduce((made, { kind, place }) => {
        const all = edited(made, alphabet)[kind as 'moved'];
        return all[place % Math.max(all.length, 1)] ?? made;
      }, known);
      fc.pre(name !== known);
      expect([name, known, isNearly(name, known)]).toEqual([
        name,
        known,
        isNearlyByRule(name, known, alphabet),
      ]);
    }),
    { numRuns: runs(200) },
  );
});

const schema = z.object({
  expiresAt: z.unknown(),
  campaign: z.unknown(),
  ios: z.unknown(),
  store_fallback: z.unknown(),
});
const known = Object.keys(schema.shape);
const messagesFor = (name: string) => nearMisses(schema, { [name]: 1 }).map(({ message }) => message);

test('case and separators make no difference between names', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...known, 'expirseat', 'camapign', 'iso', 'stor_fallbak'),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('', '_', '-', '.', ' '),
      (name, upper, separator) => {
        const written = [...name]
          .map((letter) => (upper.next().value ? letter.toUpperCase() : letter))
          .join(separator);
        fc.pre(!known.includes(written));
        expect(messagesFor(written)).toEqual([expect.stringMatching(/^is unknown; use \w+$/)]);
      },
    ),
  );
});

test('a name that is near to several names all of them', () => {
  const twins = z.object({ storeLink: z.unknown(), storeLine: z.unknown() });
  expect(nearMisses(twins, { storeLint: 1 })).toEqual([
    { field: 'storeLint', message: 'is unknown; use storeLink or storeLine' },
  ]);
});

test('each of twenty thousand names in a body is compared', () => {
  const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`expires${i}`, i]));
  // Two digits would be two edits.
  const near = Array.from({ length: 10 }, (_, i) => `expires${i}`);
  expect(nearMisses(schema, body).map(({ field }) => field)).toEqual(near);
});

import fc from 'fast-check';
import type { Rule } from '../../core/rules/rule.ts';

const times = fc.constantFrom(
  '2026-11-01T00:00:00.000Z',
  '2026-12-01T09:00:00.000Z',
  '2027-01-01T00:00:00.000Z',
);
const some = <Value>(...values: Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

const condition = fc.record(
  {
    countries: some('DE', 'AT', 'US'),
    languages: some('de', 'en', 'de-AT', 'pt-BR'),
    platforms: some('ios' as const, 'android' as const, 'web' as const),
    from: times,
    until: times,
  },
  { requiredKeys: [] },
);
const percents = fc.array(fc.integer({ min: 1, max: 33 }), { minLength: 1, maxLength: 3 });

/** Rules whose addresses are all different: `address` makes the one of a rule and an entry. */
export const ruleLists = (address: fc.Arbitrary<string>): fc.Arbitrary<Rule[]> =>
  fc
    .array(fc.tuple(condition, fc.option(percents), fc.infiniteStream(address)), { maxLength: 6 })
    .map((list) =>
      list.map(([conditions, split, addresses], index): Rule => {
        const next = (place: string) => `${addresses.next().value}/${place}`;
        const name = `r${index}`;
        if (!split) return { name, ...conditions, link: next(name) };
        const entries = split.map((percent, at) => ({
          name: `e${at}`,
          percent,
          link: next(`${name}-${at}`),
        }));
        return { name, ...conditions, split: entries };
      }),
    );

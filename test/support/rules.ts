import fc from 'fast-check';
import type { RuleVisitor } from '../../core/rules/decide.ts';
import type { Conditions, Rule, RuleConditions } from '../../core/rules/rule.ts';

const times = fc.constantFrom(
  '2026-11-01T00:00:00.000Z',
  '2026-12-01T09:00:00.000Z',
  '2027-01-01T00:00:00.000Z',
);
const some = <Value>(...values: Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

/** A person's visit. */
export const aVisitor = (changes: Partial<RuleVisitor> = {}): RuleVisitor => ({
  visitor: { kind: 'person', platform: 'ios' },
  country: 'DE',
  language: 'de-at',
  numberOf: () => 42,
  now: new Date('2026-12-01T09:00:00.000Z'),
  ...changes,
});

interface ConditionExample<Value> {
  readonly any: fc.Arbitrary<Value>;
  /** A value that applies to `aVisitor`. */
  readonly holds: Value;
  readonly fails: Value;
  readonly inWords: string;
  /** Whether it applies to crawlers, bots and scripts, which have no other properties. */
  readonly isOfBots?: true;
}

export const conditionExamples: { readonly [Name in keyof Conditions]: ConditionExample<Conditions[Name]> } =
  {
    countries: {
      any: some('DE', 'AT', 'US'),
      holds: ['AT', 'DE'],
      fails: ['AT'],
      inWords: 'in Austria or Germany',
    },
    languages: {
      any: some('de', 'en', 'de-AT', 'pt-BR'),
      holds: ['fr', 'de'],
      fails: ['de-DE'],
      inWords: 'whose first language is French or German',
    },
    platforms: {
      any: some('ios', 'android', 'web'),
      holds: ['ios'],
      fails: ['web', 'android'],
      inWords: 'on an iPhone or iPad',
    },
    from: {
      any: times,
      holds: '2026-12-01T09:00:00.000Z',
      fails: '2026-12-01T09:00:00.001Z',
      inWords: 'from 1 December 2026, 09:00 UTC on',
      isOfBots: true,
    },
    until: {
      any: times,
      holds: '2026-12-01T09:00:00.001Z',
      fails: '2026-12-01T09:00:00.000Z',
      inWords: 'until 1 December 2026, 09:00 UTC',
      isOfBots: true,
    },
  };

const condition = fc.record(
  Object.fromEntries(Object.entries(conditionExamples).map(([name, { any }]) => [name, any])),
  { requiredKeys: [] },
) as fc.Arbitrary<RuleConditions>;
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

import fc from 'fast-check';
import type { Platform } from '../../../core/base/platform.ts';
import { decisions } from '../../../core/rules/decide.ts';
import type { Rule } from '../../../core/rules/rule.ts';
import { aVisitor, conditionExamples, ruleLists } from '../../support/rules.ts';

const link = 'https://example.com/';
const first = (rules: readonly Rule[], visitor = aVisitor()) => decisions(rules, visitor)[0];
const bot = aVisitor({ visitor: { kind: 'bot', platform: 'web' } });

describe('a condition', () => {
  const held = Object.entries(conditionExamples).map(
    ([name, { holds, fails }]): [string, Partial<Rule>, Partial<Rule>] => [
      name,
      { [name]: holds },
      { [name]: fails },
    ],
  );

  it.each(held)('%s decides without other conditions', (_, holding, failing) => {
    expect(first([{ name: 'one', link, ...holding }])).toEqual({ rule: 'one', link });
    expect(first([{ name: 'one', link, ...failing }])).toBeUndefined();
  });

  it.each(held)('%s must hold in addition to the others', (_, __, failing) => {
    const others = Object.assign({}, ...held.map(([, holding]) => holding));
    expect(first([{ name: 'one', link, ...others }])).toBeDefined();
    expect(first([{ name: 'one', link, ...others, ...failing }])).toBeUndefined();
  });

  it('does not hold where nothing is known', () => {
    expect(
      first([{ name: 'one', link, countries: ['DE'] }], aVisitor({ country: undefined })),
    ).toBeUndefined();
    expect(
      first([{ name: 'one', link, languages: ['de'] }], aVisitor({ language: undefined })),
    ).toBeUndefined();
  });

  it('a rule on time only applies to crawlers, bots and scripts', () => {
    for (const [name, { holds, isOfBots = false }] of Object.entries(conditionExamples)) {
      const decision = first([{ name: 'one', link, [name]: holds }], bot);
      expect([name, decision !== undefined]).toEqual([name, isOfBots]);
    }
    expect(first([{ name: 'one', split: [{ name: 'a', percent: 100, link }] }], bot)).toBeUndefined();
  });
});

describe('a split', () => {
  const split = [
    { name: 'a', percent: 40, link: 'https://a.example.com/' },
    { name: 'b', percent: 20, link: 'https://b.example.com/' },
  ];
  it.each([
    [0, 'a'],
    [39, 'a'],
    [40, 'b'],
    [59, 'b'],
    [60, undefined],
    [99, undefined],
  ])('sends the visitor with number %i to %s', (number, entry) => {
    const decision = first([{ name: 'pages', split }], aVisitor({ numberOf: () => number }));
    expect(decision?.entry).toBe(entry);
  });

  it('asks for the number of its own rule', () => {
    const numberOf = (rule: string) => (rule === 'second' ? 0 : 99);
    const rules = ['first', 'second'].map((name) => ({ name, split }));
    expect(first(rules, aVisitor({ numberOf }))).toMatchObject({ rule: 'second', entry: 'a' });
  });
});

const visitors = fc
  .record({
    kind: fc.constantFrom('person' as const, 'bot' as const, 'social-crawler' as const),
    platform: fc.constantFrom<Platform>('ios', 'android', 'web'),
    country: fc.constantFrom('DE', 'US', undefined),
    language: fc.constantFrom('de', 'de-at', 'en-us', undefined),
    number: fc.integer({ min: 0, max: 99 }),
  })
  .map(({ kind, platform, number, ...known }) =>
    aVisitor({ ...known, visitor: { kind, platform }, numberOf: () => number }),
  );

it('decides by each rule separately, in the order of the list', () =>
  fc.assert(
    fc.property(ruleLists(fc.constant('https://example.com')), visitors, (list, visitor) => {
      const separate = list.flatMap((rule) => decisions([rule], visitor));
      expect(decisions(list, visitor)).toEqual(separate);
      expect(separate.length).toBeLessThanOrEqual(list.length);
    }),
  ));

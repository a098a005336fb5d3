import * as fc from 'fast-check';
import {
  changedRules,
  completeConditions,
  draftsOf,
  newRule,
  pathsOf,
  rulesFromDrafts,
} from '../../../../console/views/rules/rule-draft.ts';
import { conditionsInWords } from '../../../../core/pages/rule-words.ts';
import type { Rule, RuleConditions, SplitEntry } from '../../../../core/rules/rule.ts';
import { conditionExamples, ruleLists } from '../../../support/rules.ts';

const anyRules = ruleLists(fc.constant('https://example.com'));
const link = 'https://example.com/';

test('an untouched form sends no rules, and shows them all', () =>
  fc.assert(
    fc.property(anyRules, (rules) => {
      expect(changedRules(rules, draftsOf(rules))).toEqual({});
      expect(rulesFromDrafts(draftsOf(rules))).toEqual(rules);
    }),
  ));

/** Every field that a rule has now, and one that a later version may add. */
const whole = {
  name: 'all',
  ...(Object.fromEntries(
    Object.entries(conditionExamples).map(([name, { holds }]) => [name, holds]),
  ) as Required<RuleConditions>),
  link,
  split: [{ name: 'a', percent: 40, link, weight: 'kept' } as SplitEntry],
  devices: ['tablet'],
} satisfies Required<Rule> & { devices: string[] };

test('the form keeps unknown parts of a rule', () => {
  const { link: _, ...splitting } = whole;
  const { split, ...leading } = whole;
  for (const rule of [splitting, leading]) {
    const [draft = newRule()] = draftsOf([rule]);
    expect(rulesFromDrafts([draft])).toEqual([rule]);
    expect(rulesFromDrafts([{ ...draft, name: 'other' }])).toEqual([{ ...rule, name: 'other' }]);
  }
  const [draft = newRule()] = draftsOf([leading]);
  const empty = Object.fromEntries(Object.keys(conditionExamples).map((name) => [name, '']));
  const cleared = { ...draft, ...empty };
  expect(rulesFromDrafts([cleared])).toEqual([{ name: 'all', devices: ['tablet'], link }]);
});

test('times keep their seconds unless they are changed', () => {
  const rules: Rule[] = [{ name: 'odd', from: '2026-12-01T08:00:30.125Z', link }];
  const [draft = newRule()] = draftsOf(rules);
  expect(rulesFromDrafts([{ ...draft, name: 'even' }])[0]?.from).toBe('2026-12-01T08:00:30.125Z');
  expect(rulesFromDrafts([{ ...draft, from: '2026-12-01T09:00' }])[0]?.from).toBe('2026-12-01T09:00:00.000Z');
});

test('lists accept commas, semicolons, spaces and lower case', () => {
  const [rule] = rulesFromDrafts([{ ...newRule(), countries: ' de,AT;ch ', languages: 'de  pt-BR' }]);
  expect(rule).toMatchObject({ countries: ['DE', 'AT', 'CH'], languages: ['de', 'pt-BR'] });
});

test('another order is a change, and no rules are null', () => {
  const rules: Rule[] = ['a', 'b'].map((name) => ({ name, platforms: ['ios'], link }));
  expect(changedRules(rules, draftsOf(rules).reverse())).toEqual({ rules: [...rules].reverse() });
  expect(changedRules(rules, [])).toEqual({ rules: null });
  expect(changedRules(undefined, [])).toEqual({});
});

test('faults find the rule and the entry that they are about', () => {
  const split = [
    { name: 'a', percent: 1, link },
    { name: 'b', percent: 1, link },
  ];
  const drafts = draftsOf([
    { name: 'one', platforms: ['ios'], link },
    { name: 'two', split },
  ]);
  expect(pathsOf(drafts).get(drafts[0]?.id ?? 0)).toBe('payload.rules.0');
  expect(pathsOf(drafts).get(drafts[1]?.entries?.[1]?.id ?? 0)).toBe('payload.rules.1.split.1');
});

test('any input can be put into words', () =>
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const draft = {
        ...newRule(),
        countries: text,
        languages: other,
        platforms: '',
        from: text,
        until: other,
      };
      expect(conditionsInWords(completeConditions(draft))).toMatch(/^Visitors/);
    }),
  ));

import fc from 'fast-check';
import { routeShares } from '../../../../console/views/visits/route-shares.ts';
import { decisionName, decisions } from '../../../../core/rules/decide.ts';
import type { Rule } from '../../../../core/rules/rule.ts';
import { peopleKinds, visitorKinds } from '../../../../core/visits/visitor.ts';
import { ruleLists } from '../../../support/rules.ts';

const now = new Date('2026-12-01T09:00:00.000Z');
const link = 'https://example.com/';
const shortUrl = 'https://go.example.com/launch';
const onIphone: Parameters<typeof routeShares>[1] = {
  visitor: { kind: 'person', platform: 'ios' },
  country: undefined,
  language: undefined,
  now,
};
const goes = (rules: readonly Rule[], visitor = onIphone) =>
  routeShares({ link: { status: 'ACTIVE', payload: { link, rules } }, apps: {}, shortUrl }, visitor);

const split = (...percents: number[]) =>
  percents.map((percent, i) => ({ name: `e${i}`, percent, link: `https://e${i}.example.com/` }));

test('a split takes its share of visitors whom earlier rules left', () => {
  const rules = [
    { name: 'one', split: split(50) },
    { name: 'two', split: split(30, 50) },
  ];
  expect(goes(rules).map(({ percent, rule, url }) => [percent, rule, url])).toEqual([
    [50, 'one/e0', 'https://e0.example.com/'],
    [15, 'two/e0', 'https://e0.example.com/'],
    [25, 'two/e1', 'https://e1.example.com/'],
    [10, undefined, link],
  ]);
});

test('rules that are never reached, or that lead back to the short host, get no share', () => {
  const rules: Rule[] = [
    { name: 'back', platforms: ['ios'], link: 'https://go.example.com/x' },
    { name: 'all', platforms: ['ios'], link: 'https://all.example.com/' },
    { name: 'late', platforms: ['ios'], link: 'https://late.example.com/' },
  ];
  expect(goes(rules).map(({ percent, rule }) => [percent, rule])).toEqual([[100, 'all']]);
});

const visitors = fc.record({
  visitor: fc.constantFrom(...peopleKinds()).map((kind) => visitorKinds[kind].visitor),
  country: fc.constantFrom('DE', 'US', undefined),
  language: fc.constantFrom('de', 'de-at', undefined),
  now: fc.constant(now),
});

test('every decision of the redirect has a share, and the shares add up to the whole', () =>
  fc.assert(
    fc.property(
      ruleLists(fc.constant('https://rule.example.com')),
      visitors,
      fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 6, maxLength: 6 }),
      (rules, visitor, numbers) => {
        const shares = goes(rules, visitor);
        const numberOf = (rule: string) => numbers[rules.findIndex(({ name }) => name === rule)] ?? 0;
        const [decision] = decisions(rules, { ...visitor, numberOf });
        expect(shares.map(({ rule }) => rule)).toContain(decision && decisionName(decision));
        const whole = shares.reduce((sum, { percent }) => sum + percent, 0);
        expect(Math.abs(whole - 100)).toBeLessThan(2);
      },
    ),
  ));

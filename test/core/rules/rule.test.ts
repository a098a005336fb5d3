import { otherHosts, type Rule, ruleAddresses } from '../../../core/rules/rule.ts';

const rules: Rule[] = [
  { name: 'one', countries: ['DE'], link: 'https://one.example/a' },
  {
    name: 'two',
    split: [
      { name: 'a', percent: 50, link: 'https://one.example/b' },
      { name: 'b', percent: 50, link: 'https://two.example/' },
    ],
  },
];

test('the addresses of rules are their own and those of their entries', () => {
  expect(ruleAddresses(rules, 'payload.rules')).toEqual({
    'payload.rules.0.link': 'https://one.example/a',
    'payload.rules.1.split.0.link': 'https://one.example/b',
    'payload.rules.1.split.1.link': 'https://two.example/',
  });
});

test.each([
  [undefined, 2],
  ['https://three.example/', 2],
  ['https://two.example/elsewhere', 1],
])('in addition to %s they name %i hosts', (destination, count) => {
  expect(otherHosts(rules, destination)).toBe(count);
});

import { conditionsInWords } from '../../../core/pages/rule-words.ts';
import { conditionExamples } from '../../support/rules.ts';

test('every condition is put into words, separately and with the others', () => {
  const examples = Object.entries(conditionExamples);
  for (const [name, { holds, inWords }] of examples)
    expect(conditionsInWords({ [name]: holds })).toBe(`Visitors ${inWords}`);
  const all = Object.fromEntries(examples.map(([name, { holds }]) => [name, holds]));
  const words = examples.map(([, { inWords }]) => inWords);
  expect(conditionsInWords(all)).toBe(`Visitors ${words.join(', ')}`);
  expect(conditionsInWords({})).toBe('Visitors');
});

import { createConfig, lint } from '@redocly/openapi-core';

test('docs/openapi.json meets the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: 'docs/openapi.json', config });
  // The service prefers literal paths, and still serves links whose code equals one.
  expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([]);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

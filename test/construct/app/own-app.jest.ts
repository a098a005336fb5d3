import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DynamicLinkStack } from 'dynamic-link-cdk';

test('the stack has its table, and refuses an unknown setting', () => {
  const links = new DynamicLinkStack(new App(), 'Links', { settings: { stage: 'dev' } });
  Template.fromStack(links).resourceCountIs('AWS::DynamoDB::Table', 2);
  // Passed as a variable, which the compiler accepts with more names.
  const settings = { stage: 'dev', stag: 'prod' };
  expect(() => new DynamicLinkStack(new App(), 'Links', { settings })).toThrow('stag is not a setting');
});

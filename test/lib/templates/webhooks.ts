import { Match } from 'aws-cdk-lib/assertions';
import { optionsContext, synthesizedStack } from '../../support/template.ts';

const template = synthesizedStack();

test('ten turns run at once, each of one webhook', () => {
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    BatchSize: 1,
    ScalingConfig: { MaximumConcurrency: 10 },
  });
});

const puts = (given: typeof template) =>
  Object.values(given.findResources('AWS::IAM::Policy')).flatMap(({ Properties }) =>
    Properties.PolicyDocument.Statement.filter(
      ({ Action }: { Action: unknown }) => Action === 'events:PutEvents',
    ),
  );

test('the sender may put events onto the buses of the deployment, without them onto none', () => {
  expect(puts(template)).toEqual([]);
  const { eventBuses } = optionsContext;
  const named = synthesizedStack(optionsContext);
  const [{ Resource } = { Resource: [] }] = puts(named);
  expect(JSON.stringify(Resource)).toContain(':event-bus/orders');
  expect(Resource).toContain(eventBuses.split(',')[1]);
  expect(Resource).toHaveLength(2);
  named.hasOutput('EventBuses', { Value: eventBuses });
  named.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ WEBHOOK_SECRET: Match.anyValue() }) },
  });
});

import { Match } from 'aws-cdk-lib/assertions';
import { referred, synthesizedStack } from '../../support/template.ts';

const template = synthesizedStack();
const fourteenDays = 14 * 86_400;

test('clicks wait for two weeks in an encrypted queue, and go to its dead letters after a thousand attempts', () => {
  const [[, queue] = []] = Object.entries(
    template.findResources('AWS::SQS::Queue', { Properties: { RedrivePolicy: Match.anyValue() } }),
  );
  expect(queue?.Properties).toMatchObject({
    MessageRetentionPeriod: fourteenDays,
    SqsManagedSseEnabled: true,
    VisibilityTimeout: 360,
    RedrivePolicy: { maxReceiveCount: 1000 },
  });
  const [, deadLetters] = referred(template, queue?.Properties.RedrivePolicy.deadLetterTargetArn);
  expect(deadLetters.Properties).toMatchObject({
    MessageRetentionPeriod: fourteenDays,
    SqsManagedSseEnabled: true,
  });
  template.resourcePropertiesCountIs(
    'AWS::SQS::QueuePolicy',
    Match.objectLike({
      PolicyDocument: Match.objectLike({
        Statement: [
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ],
      }),
    }),
    3,
  );
});

test('its function takes a thousand at once, reports those that failed, and leaves the table room', () => {
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 5,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 5 },
  });
});

import { templateContexts } from '../../../bin/template-contexts.ts';
import { optionsContext, synthesizedStack } from '../../support/template.ts';

const template = synthesizedStack();
const aggregate =
  Object.keys(template.findResources('AWS::Lambda::Function')).find((id) =>
    id.startsWith('ClicksAggregateClicks'),
  ) ?? '';

test('records are retried almost as long as the stream has them', () => {
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    FunctionName: { Ref: aggregate },
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: 84_600,
  });
});

test('batches that a mapping gave up are kept for 90 days', () => {
  template.allResourcesProperties('AWS::S3::Bucket', {
    LifecycleConfiguration: { Rules: [{ ExpirationInDays: 90, Status: 'Enabled' }] },
  });
});

test('prod gathers clicks for a second, so that they share writes', () => {
  const windows = (context?: Readonly<Record<string, string>>) =>
    Object.values(synthesizedStack(context).findResources('AWS::Lambda::EventSourceMapping')).map(
      ({ Properties }) => [Properties.TumblingWindowInSeconds, Properties.MaximumBatchingWindowInSeconds],
    );
  expect(windows(templateContexts.prod)).toContainEqual([900, 1]);
  expect(windows()).toContainEqual([900, undefined]);
  // Longer where analytics aren't awaited, in any stage; events never wait for that.
  expect(windows(templateContexts['prod on own domains'])).toEqual(
    expect.arrayContaining([
      [900, 55],
      [undefined, 5],
    ]),
  );
  expect(windows(optionsContext)).toContainEqual([900, 290]);
});

test('an alarm watches the delay of the analytics', () => {
  const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
  const watching = alarms.filter(({ Properties }) => {
    const metric = JSON.stringify([Properties.MetricName, Properties.Dimensions, Properties.Metrics]);
    return metric.includes('"IteratorAge"') && metric.includes(aggregate);
  });
  expect(watching).toHaveLength(1);
});

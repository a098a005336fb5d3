import { openDeployedStack } from '../../ops/smoke/deployed-stack.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import type { Session } from '../../ops/smoke/session.ts';
import { watchChecks } from '../../ops/smoke/watch-checks.ts';
import { type AwsDouble, answerResources, doubleEnvironment, startAwsDouble } from '../support/aws-double.ts';

const before = { ...process.env };
let aws: AwsDouble;
let history: { HistorySummary: string; HistoryData: string }[];
let states: string[];

/** More than a page before those that the checks look for. */
const resources = Object.fromEntries([
  ['MonitoringRedirectErrors1', { type: 'AWS::CloudWatch::Alarm', physical: 'redirect-errors' }],
  ...Array.from({ length: 120 }, (_, i) => [
    `ApiMethod${i}`,
    { type: 'AWS::ApiGateway::Method', physical: `method-${i}` },
  ]),
  ['MonitoringExpiryLate2', { type: 'AWS::CloudWatch::Alarm', physical: 'expiry-late' }],
  ['ShortLinksDistribution', { type: 'AWS::CloudFront::Distribution', physical: 'E1' }],
]);

const dimensions = [{ Name: 'DistributionId', Value: 'E1' }];
const edgeAlarm = {
  AlarmName: 'edge',
  Metrics: [{ Id: 'a', MetricStat: { Metric: { Dimensions: dimensions } } }],
};
/** As many as AWS gives in one answer. */
const alarmsOfOthers = Array.from({ length: 100 }, (_, i) => ({
  AlarmName: `of-another-${i}`,
  Dimensions: [{ Name: 'DistributionId', Value: 'E2' }],
}));

beforeEach(async () => {
  aws = await startAwsDouble();
  Object.assign(process.env, doubleEnvironment(aws));
  history = [{ HistorySummary: 'Successfully executed action earlier', HistoryData: '{}' }];
  states = [];
  answerResources(aws, resources);
  aws.answers.set('monitoring:DescribeAlarms', ({ body }) =>
    JSON.parse(body).NextToken === undefined
      ? { body: { MetricAlarms: alarmsOfOthers, NextToken: 'more' } }
      : { body: { MetricAlarms: [edgeAlarm] } },
  );
  aws.answers.set('monitoring:DescribeAlarmHistory', () => ({ body: { AlarmHistoryItems: history } }));
  aws.answers.set('monitoring:SetAlarmState', ({ body, region }) => {
    const { AlarmName, StateValue } = JSON.parse(body);
    states.push(`${region} ${AlarmName} ${StateValue}`);
    if (StateValue === 'ALARM') history = [...history, outcome];
    return { body: {} };
  });
  aws.answers.set('monitoring:GetMetricData', () => ({
    body: { MetricDataResults: [{ Id: 'requests', Values: [3, 4], Timestamps: [] }] },
  }));
});
afterEach(async () => {
  process.env = { ...before };
  await aws.stop();
});

const published = {
  HistorySummary: 'Successfully executed action arn:aws:sns:eu-west-1:123456789012:Topic',
  HistoryData: '{"actionState":"Succeeded"}',
};
const refused = {
  HistorySummary: 'Failed to execute action arn:aws:sns:eu-west-1:123456789012:Topic',
  HistoryData: '{"actionState":"Failed","error":"not authorized to perform: SNS:Publish"}',
};
let outcome = published;

/** Only the members that the checks use. */
const session = (deployed: Session['deployed']) =>
  ({
    deployed,
    isLocal: deployed === undefined,
    patienceMs: 5000,
    cleanUp: async () => '',
  }) as unknown as Session;

const outcomes = async (deployed: Session['deployed']) =>
  (await runChecks(watchChecks, session(deployed)))
    .slice(0, -1)
    .map(({ result, detail }) => [result, detail]);

test('alarms reach their topics, and requests are measured', async () => {
  outcome = published;
  const found = await outcomes(openDeployedStack('S', 'eu-west-1'));
  expect(found).toEqual([
    ['ok', 'expiry-late was set to ALARM and back to OK; its mails come from this test'],
    ['ok', 'edge was set to ALARM and back to OK; its mails come from this test'],
    ['ok', expect.stringMatching(/^7 requests, after \d+ s$/)],
  ]);
  expect(states).toEqual([
    'eu-west-1 expiry-late ALARM',
    'eu-west-1 expiry-late OK',
    'us-east-1 edge ALARM',
    'us-east-1 edge OK',
  ]);
  const metrics = aws.calls.find(({ operation }) => operation === 'GetMetricData');
  expect(metrics?.region).toBe('us-east-1');
  expect(JSON.parse(metrics?.body ?? '').MetricDataQueries[0].MetricStat.Metric.Dimensions).toEqual([
    { Name: 'DistributionId', Value: 'E1' },
    { Name: 'Region', Value: 'Global' },
  ]);
});

test('a topic that refuses the alarm fails the check, and the alarm is reset', async () => {
  outcome = refused;
  const [first] = await outcomes(openDeployedStack('S', 'eu-west-1'));
  expect(first).toEqual(['failed', expect.stringContaining('not authorized to perform: SNS:Publish')]);
  expect(states.slice(0, 2)).toEqual(['eu-west-1 expiry-late ALARM', 'eu-west-1 expiry-late OK']);
});

test('a local stack skips these checks', async () => {
  const found = await outcomes(undefined);
  expect(found.map(([result]) => result)).toEqual(['skipped', 'skipped', 'skipped']);
  expect(aws.calls).toEqual([]);
});

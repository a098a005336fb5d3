import { openDeployedStack } from '../../ops/smoke/deployed-stack.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import type { Session } from '../../ops/smoke/session.ts';
import { watchChecks } from '../../ops/smoke/watch-checks.ts';
import { type AwsDouble, doubleEnvironment, startAwsDouble } from '../support/aws-double.ts';

const before = { ...process.env };
let aws: AwsDouble;
let history: { HistorySummary: string; HistoryData: string }[];
let states: string[];

const summary = (type: string, logical: string, physical: string) =>
  `<member><ResourceType>${type}</ResourceType><LogicalResourceId>${logical}</LogicalResourceId>
   <PhysicalResourceId>${physical}</PhysicalResourceId><ResourceStatus>CREATE_COMPLETE</ResourceStatus>
   <LastUpdatedTimestamp>2026-01-01T00:00:00Z</LastUpdatedTimestamp></member>`;

const page = (members: string, next = '') => ({
  body: `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${members}
    </StackResourceSummaries>${next}</ListStackResourcesResult></ListStackResourcesResponse>`,
});

const dimensions = [{ Name: 'DistributionId', Value: 'E1' }];

beforeEach(async () => {
  aws = await startAwsDouble();
  Object.assign(process.env, doubleEnvironment(aws));
  history = [{ HistorySummary: 'Successfully executed action earlier', HistoryData: '{}' }];
  states = [];
  aws.answers.set('cloudformation:ListStackResources', ({ body }) =>
    body.includes('NextToken')
      ? page(summary('AWS::CloudFront::Distribution', 'ShortLinksDistribution', 'E1'))
      : page(
          summary('AWS::CloudWatch::Alarm', 'MonitoringRedirectErrors1', 'redirect-errors') +
            summary('AWS::CloudWatch::Alarm', 'MonitoringExpiryLate2', 'expiry-late'),
          '<NextToken>more</NextToken>',
        ),
  );
  aws.answers.set('monitoring:DescribeAlarms', () => ({
    body: {
      MetricAlarms: [
        { AlarmName: 'of-another', Dimensions: [{ Name: 'DistributionId', Value: 'E2' }] },
        { AlarmName: 'edge', Metrics: [{ Id: 'a', MetricStat: { Metric: { Dimensions: dimensions } } }] },
      ],
    },
  }));
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

import { openPaths, openRate } from '../../../lib/method-rates.ts';
import { openDeployedStack } from '../../../ops/smoke/deployed-stack.ts';
import { runChecks } from '../../../ops/smoke/run.ts';
import type { SmokeSession } from '../../../ops/smoke/session.ts';
import { watchChecks } from '../../../ops/smoke/watch-checks.ts';
import { answerResources, eachAwsDouble, topicWith } from '../../support/aws-double.ts';

/** By region: confirmed subscriptions of its topic, and those that wait. */
let subscriptions: Record<string, readonly [number, number]>;
let methodSettings: Record<string, { throttlingRateLimit: number }>;
const aws = eachAwsDouble();
let history: { HistorySummary: string; HistoryData: string }[];
let states: string[];

/** More than a page before those that the checks look for. */
const resources = Object.fromEntries([
  ['MonitoringRedirectErrors1', { type: 'AWS::CloudWatch::Alarm', physical: 'redirect-errors' }],
  ...Array.from({ length: 120 }, (_, i) => [
    `ApiMethod${i}`,
    { type: 'AWS::ApiGateway::Method', physical: `method-${i}` },
  ]),
  ['MonitoringExpiryLate2', { type: 'AWS::CloudWatch::Alarm', physical: 'S-MonitoringExpiryLate2-X' }],
  ['MonitoringReadersStopped2', { type: 'AWS::CloudWatch::Alarm', physical: 'S-MonitoringReadersStopped-X' }],
  // In no order: hosts of projects have a distribution of their own.
  ['ShortLinksOwnHostsDistribution', { type: 'AWS::CloudFront::Distribution', physical: 'E2' }],
  ['ShortLinksDistribution', { type: 'AWS::CloudFront::Distribution', physical: 'E1' }],
  ['ShortLinksBehaviorsRetryApi', { type: 'AWS::ApiGateway::RestApi', physical: 'of-the-page' }],
  ['ApiRestDomain1', { type: 'AWS::ApiGateway::DomainName', physical: 'api.example.com' }],
  ['ApiRest1', { type: 'AWS::ApiGateway::RestApi', physical: 'api-id' }],
  ['ApiRestDeploymentStageprod', { type: 'AWS::ApiGateway::Stage', physical: 'prod' }],
]);

const metric = (Id: string, MetricName: string, Dimensions: object[] = []) => ({
  Id,
  MetricStat: { Metric: { Namespace: 'N', MetricName, Dimensions }, Period: 60, Stat: 'Sum' },
  ReturnData: false,
});
const topicIn = (region: string) => `arn:aws:sns:${region}:123456789012:Topic`;
const edgeAlarm = {
  AlarmName: 'edge',
  AlarmActions: [topicIn('us-east-1')],
  Metrics: [
    { Id: 'e1', Expression: 'IF(requests > 0, rate, 0)', ReturnData: true },
    metric('requests', 'Requests', [{ Name: 'DistributionId', Value: 'E1' }]),
    metric('rate', '5xxErrorRate'),
  ],
};
const servicesAlarms = [
  {
    AlarmName: 'S-MonitoringExpiryLate2-X',
    AlarmActions: [topicIn('eu-west-1')],
    MetricName: 'IteratorAge',
    Dimensions: [],
  },
  {
    AlarmName: 'redirect-errors',
    Metrics: [
      { Id: 'e1', Expression: 'FILL(m0, 0) + FILL(m1, 0)', ReturnData: true },
      metric('m0', 'Errors'),
      metric('m1', 'RedirectBusy'),
    ],
  },
  {
    AlarmName: 'S-MonitoringReadersStopped-X',
    Metrics: [
      { Id: 'e1', Expression: 'IF(clicks >= 1 AND FILL(aggregate, 0) == 0, 1, 0)', ReturnData: true },
      metric('clicks', 'ClickWritten'),
      metric('aggregate', 'Invocations', [{ Name: 'FunctionName', Value: 'aggregate' }]),
    ],
  },
];
/** CloudWatch's values of each metric; `RedirectBusy` comes with the first line that counts it. */
let data: Readonly<Record<string, readonly number[]>>;
/** FILL's result where a metric has no values. */
let fillsNothing: readonly number[];

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: ReturnType<typeof metric>['MetricStat'];
}
const valuesOf = ({ Expression, MetricStat }: Query, all: readonly Query[]): readonly number[] => {
  if (JSON.stringify(MetricStat)?.includes('never-ran')) return [];
  if (MetricStat) return data[MetricStat.Metric.MetricName] ?? [];
  const operands = all.filter(({ MetricStat: stat }) => stat).map((one) => valuesOf(one, all));
  return Expression?.includes('FILL') && operands.some(({ length }) => length === 0)
    ? fillsNothing
    : (operands[0] ?? []);
};
/** As many as AWS gives in one answer. */
const alarmsOfOthers = Array.from({ length: 100 }, (_, i) => ({
  AlarmName: `of-another-${i}`,
  Dimensions: [{ Name: 'DistributionId', Value: 'E2' }],
}));

beforeEach(() => {
  history = [{ HistorySummary: 'Successfully executed action earlier', HistoryData: '{}' }];
  states = [];
  answerResources(aws, resources);
  aws.answers.set('monitoring:DescribeAlarms', ({ body, region }) =>
    JSON.parse(body).NextToken === undefined
      ? { body: { MetricAlarms: alarmsOfOthers, NextToken: 'more' } }
      : { body: { MetricAlarms: region === 'us-east-1' ? [edgeAlarm] : servicesAlarms } },
  );
  aws.answers.set('monitoring:DescribeAlarmHistory', () => ({ body: { AlarmHistoryItems: history } }));
  aws.answers.set('monitoring:SetAlarmState', ({ body, region }) => {
    const { AlarmName, StateValue } = JSON.parse(body);
    states.push(`${region} ${AlarmName} ${StateValue}`);
    if (StateValue === 'ALARM') history = [...history, outcome];
    return { body: {} };
  });
  data = {
    Requests: [3, 4],
    '5xxErrorRate': [0, 0],
    Errors: [0, 0],
    DaysToExpiry: [100, 99],
    ClickWritten: [2],
    Invocations: [1],
  };
  subscriptions = { 'eu-west-1': [1, 0], 'us-east-1': [1, 0] };
  aws.answers.set('sns:GetTopicAttributes', ({ region }) =>
    topicWith(...(subscriptions[region] ?? [0, 0]))(),
  );
  aws.answers.set('cloudfront:GET /2020-05-31/distribution/E1/config', () => ({
    body: `<DistributionConfig><ViewerCertificate><ACMCertificateArn>arn:aws:acm:us-east-1:1:certificate/edge</ACMCertificateArn>
      </ViewerCertificate></DistributionConfig>`,
  }));
  aws.answers.set('apigateway:GET /domainnames/api.example.com', () => ({
    body: { regionalCertificateArn: 'arn:aws:acm:eu-west-1:1:certificate/api' },
  }));
  fillsNothing = [0, 0];
  aws.answers.set('monitoring:GetMetricData', ({ body }) => {
    const { MetricDataQueries: queries }: { MetricDataQueries: Query[] } = JSON.parse(body);
    const results = queries.map((one) => ({ Id: one.Id, Values: valuesOf(one, queries), Timestamps: [] }));
    return { body: { MetricDataResults: results } };
  });
  methodSettings = Object.fromEntries([
    ['*/*', { throttlingRateLimit: 10_000 }],
    ...openPaths.map((path) => [`${path.replaceAll('/', '~1')}/GET`, { throttlingRateLimit: openRate }]),
  ]);
  aws.answers.set('apigateway:GET /restapis/api-id/stages/prod', () => ({ body: { methodSettings } }));
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
const session = (deployed: SmokeSession['deployed']) =>
  ({
    deployed,
    isLocal: deployed === undefined,
    timeoutMs: 5000,
    cleanUp: async () => '',
  }) as unknown as SmokeSession;

const outcomes = async (deployed: SmokeSession['deployed']) =>
  (await runChecks(watchChecks, session(deployed)))
    .slice(0, -1)
    .map(({ result, detail }) => [result, detail]);

test('alarms reach their topics, and requests are measured', async () => {
  outcome = published;
  const found = await outcomes(openDeployedStack('S', 'eu-west-1'));
  expect(found).toEqual([
    ['ok', 'S-MonitoringExpiryLate2-X was set to ALARM and back to OK; its emails come from this test'],
    ['ok', 'edge was set to ALARM and back to OK; its emails come from this test'],
    ['ok', ''],
    ['ok', 'days left: edge: 99, api: 99'],
    ['ok', '4 of 4 have values by now'],
    ['ok', expect.stringMatching(/^7 requests, after \d+ s$/)],
    ['ok', ''],
  ]);
  expect(states).toEqual([
    'eu-west-1 S-MonitoringExpiryLate2-X ALARM',
    'eu-west-1 S-MonitoringExpiryLate2-X OK',
    'us-east-1 edge ALARM',
    'us-east-1 edge OK',
  ]);
  const metrics = aws.calls.findLast(({ operation }) => operation === 'GetMetricData');
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
  expect(states.slice(0, 2)).toEqual([
    'eu-west-1 S-MonitoringExpiryLate2-X ALARM',
    'eu-west-1 S-MonitoringExpiryLate2-X OK',
  ]);
});

test('a local stack skips these checks', async () => {
  const found = await outcomes(undefined);
  expect(new Set(found.map(([result]) => result))).toEqual(new Set(['skipped']));
  expect(aws.calls).toEqual([]);
});

const outcomeOf = async (name: RegExp) => {
  const [found] = await runChecks(
    watchChecks.filter((check) => name.test(check.name)),
    session(openDeployedStack('S', 'eu-west-1')),
  );
  return [found?.result, found?.detail];
};

test('an alarm that computes nothing though its first metric has values is found', async () => {
  fillsNothing = [];
  expect(await outcomeOf(/expressions/)).toEqual([
    'failed',
    'without a value though its first metric has some: redirect-errors (FILL(m0, 0) + FILL(m1, 0)), ' +
      'S-MonitoringReadersStopped-X for functions that never ran (IF(clicks >= 1 AND FILL(aggregate, 0) == 0, 1, 0))',
  ]);
  // Nothing is known of one whose first metric has no values.
  data = { Requests: [3], '5xxErrorRate': [0] };
  expect(await outcomeOf(/expressions/)).toEqual(['ok', '1 of 4 have values by now']);
});

test('unconfirmed and missing subscriptions are reported', async () => {
  subscriptions['us-east-1'] = [0, 1];
  expect(await outcomeOf(/confirmed subscription/)).toEqual([
    'failed',
    expect.stringContaining(`unconfirmed subscriptions: ${topicIn('us-east-1')}`),
  ]);
  subscriptions['us-east-1'] = [0, 0];
  expect(await outcomeOf(/confirmed subscription/)).toEqual([
    'skipped',
    `no subscription: ${topicIn('us-east-1')}`,
  ]);
});

test('a certificate that ends within three weeks fails', async () => {
  data = { ...data, DaysToExpiry: [20] };
  expect(await outcomeOf(/certificates/)).toEqual(['failed', expect.stringContaining('edge: 20, api: 20')]);
});

test("a stage that throttles a method without a key less, or a client's more, is found", async () => {
  methodSettings['~11.0~1docs/GET'] = { throttlingRateLimit: 10_000 };
  expect(await outcomeOf(/low rate limit/)).toEqual([
    'failed',
    'the rate of /1.0/docs, without a key is 10000, should be 10',
  ]);
  methodSettings['~11.0~1docs/GET'] = { throttlingRateLimit: openRate };
  methodSettings['*/*'] = { throttlingRateLimit: openRate };
  expect(await outcomeOf(/low rate limit/)).toEqual([
    'failed',
    'methods of clients have a rate of 10, as those without a key',
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { type AlarmProperties, type Query, redMinutes } from '../../support/metric-math.ts';
import { stagingContext, synthesizedStack, watchedContext as watched } from '../../support/template.ts';

const root = path.join(import.meta.dirname, '../../..');
const prod = synthesizedStack(watched);
const dev = synthesizedStack();

const edge = synthesizedStack(watched, 'EdgeAlarms');

const standby = synthesizedStack(watched, 'standby');

const alarms = [prod, edge, standby].flatMap((template) =>
  Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(
    ([id, { Properties }]): [string, Record<string, unknown>] => [id, Properties],
  ),
);

const runbook = readFileSync(path.join(root, 'docs/runbook.md'), 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));

test.each(alarms)('%s names its section of the runbook', (_, alarm) => {
  const [, anchor] = /Runbook: docs\/runbook\.md#(\S+)$/.exec(String(alarm.AlarmDescription)) ?? [];
  expect(anchors).toContain(anchor);
  expect(alarm.TreatMissingData).toBe('notBreaching');
});

test('every alarm in the runbook exists', () => {
  const linked = new Set(alarms.map(([, { AlarmDescription }]) => String(AlarmDescription).split('#')[1]));
  expect(anchors.toSorted()).toEqual([...linked].sort());
});

test('alarms state whether they page, and the runbook is sorted by that', () => {
  const pages = new Set(
    alarms.flatMap(
      ([, { AlarmDescription }]) => /^\[page\].*#(\w+)$/.exec(String(AlarmDescription))?.[1] ?? [],
    ),
  );
  const anchors = (part: string) =>
    [...part.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase()).sort();
  const [, ofPages = '', ofTickets = ''] = runbook.split(/^# (?:Paging|Ticket) alarms$/m);
  expect(anchors(ofPages)).toEqual([...pages].sort());
  expect(anchors(ofPages)).toEqual([
    ...['apierrors', 'authorizererrors', 'batcheslost', 'clickslost', 'edgeerrors', 'healthcheck'],
    ...['readersstopped', 'redirecterrors', 'standbyerrors', 'tablethrottled'],
  ]);
  const others = alarms.filter(
    ([, { AlarmDescription }]) => !/^\[(page|ticket)\] /.test(String(AlarmDescription)),
  );
  expect(others).toEqual([]);
  expect(anchors(ofTickets).filter((anchor) => pages.has(anchor))).toEqual([]);
});

test('alarms are mailed to the address of the deployment', () => {
  prod.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' });
  dev.resourceCountIs('AWS::SNS::Subscription', 0);
});

test('every custom metric of an alarm is written by a function or a log filter', () => {
  const sources = readdirSync(path.join(root, 'lambdas'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(root, 'lambdas', file), 'utf8'));
  const readOff = Object.values(prod.findResources('AWS::Logs::MetricFilter')).map(
    ({ Properties }) => Properties.MetricTransformations[0].MetricName,
  );
  const written = new Set([
    ...readOff,
    ...sources.flatMap((source) =>
      [...source.matchAll(/(?:countMetric|batchedMetric|lost)\(\s*'(\w+)'/g)].map(([, name]) => name),
    ),
  ]);
  const watched = alarms.flatMap(([, { Metrics, Namespace, MetricName }]) => [
    ...((Metrics ?? []) as { MetricStat?: { Metric: { Namespace: string; MetricName: string } } }[])
      .filter(({ MetricStat }) => MetricStat?.Metric.Namespace === 'DynamicLinks')
      .map(({ MetricStat }) => MetricStat?.Metric.MetricName),
    ...(Namespace === 'DynamicLinks' ? [MetricName] : []),
  ]);
  expect([...new Set(watched)].filter((name) => !written.has(String(name)))).toEqual([]);
  expect(watched.length).toBeGreaterThan(3);
});

type Alias = {
  readonly UpdatePolicy?: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: string } } };
} & {
  readonly DependsOn?: readonly string[];
};

test("the aliases with the most traffic shift gradually, guarded by the service's alarm and their own", () => {
  const aliases = Object.entries(prod.findResources('AWS::Lambda::Alias')) as [string, Alias][];
  const groups = prod.findResources('AWS::CodeDeploy::DeploymentGroup');
  const shifted = aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy !== undefined);
  expect(shifted.map(([id]) => id.replace(/Live\w+$/, '')).sort()).toEqual([
    ...['ApiAuthorize', 'ApiCreateLink', 'ApiGetLink', 'ApiUpdateLink', 'ShortLinksRedirect'],
  ]);
  expect(Object.keys(groups)).toHaveLength(shifted.length);
  for (const [, { UpdatePolicy }] of shifted) {
    const group = groups[UpdatePolicy?.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref ?? ''];
    expect(group?.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']),
      },
    });
    expect(group?.Properties.AlarmConfiguration.Alarms).toHaveLength(2);
  }
  // All others move once these have, so that Lambda gets few changes at a time.
  const others = aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy === undefined);
  expect(others.length).toBeGreaterThan(10);
  for (const [id, { DependsOn = [] }] of others)
    expect([id, shifted.filter(([first]) => !DependsOn.includes(first))]).toEqual([id, []]);
});

test('the redirect and every operation are called by their alias in prod, and directly in dev', () => {
  const released = Object.values(prod.findResources('AWS::Lambda::Alias')).map(
    ({ Properties }) => Properties.FunctionName.Ref,
  );
  const inProd = Object.keys(prod.findResources('AWS::Lambda::Function')).filter((id) =>
    /^(Api|ShortLinksRedirect)/.test(id),
  );
  expect(inProd.filter((id) => !released.includes(id))).toEqual([]);
  prod.hasResourceProperties('AWS::Lambda::Url', { Qualifier: 'live' });
  const integrations = Object.values(prod.findResources('AWS::ApiGateway::Method'));
  const calling = integrations.filter(({ Properties }) => Properties.Integration.Type !== 'MOCK');
  expect(calling.length).toBeGreaterThan(10);
  for (const { Properties } of calling) expect(JSON.stringify(Properties.Integration.Uri)).toMatch(/Live/);
  dev.resourceCountIs('AWS::Lambda::Alias', 0);
});

test('the dashboard shows traffic, errors, times, lag, losses, refusals and capacity', () => {
  const [dashboard] = Object.values(dev.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties.DashboardBody).replaceAll('\\', '');
  for (const shown of [
    ...['Requests', 'Invocations', 'Errors', '5XXError', 'Throttles', 'p50', 'p99', 'IteratorAge'],
    ...['ClickLost', 'RateRefused', 'WriteThrottleEvents'],
    ...['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'],
  ])
    expect(body).toContain(`"${shown}`);
});

test('the dashboard reads the metrics of the edge from us-east-1', () => {
  const [dashboard] = Object.values(dev.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties.DashboardBody).replaceAll('\\', '');
  const shown = [...body.matchAll(/\["AWS\/CloudFront","(\w+)".*?\}\]/g)];
  expect(shown.map(([, name]) => name).sort()).toEqual(['4xxErrorRate', '5xxErrorRate', 'Requests']);
  for (const [metric] of shown) {
    expect(metric).toContain('"Region","Global"');
    expect(metric).toContain('"region":"us-east-1"');
  }
});

const isRedWith = (id: string, values: Readonly<Record<string, number>>) => {
  const [, alarm] = alarms.find(([one]) => one.startsWith(`Monitoring${id}`)) ?? [];
  // Names of metrics of our own end with the stack's.
  const seriesOf = ({ MetricName }: { readonly MetricName: string }) =>
    Array.from({ length: 10 }, () => values[MetricName.replace(/-DynamicLinks.*/, '')]);
  return redMinutes(alarm as unknown as AlarmProperties, seriesOf, 10).length > 0;
};

test('an alarm watches the share of calls refused for their rate', () => {
  expect(isRedWith('CallsRefused', { RateRefused: 50, Count: 499 })).toBe(true);
  expect(isRedWith('CallsRefused', { RateRefused: 50, Count: 501 })).toBe(false);
  expect(isRedWith('CallsRefused', { RateRefused: 49, Count: 60 })).toBe(false);
});

test('visitors whom Lambda refuses for lack of concurrency are failures of the redirect', () => {
  const [, alarm] = alarms.find(([id]) => id.startsWith('MonitoringRedirectErrors')) ?? [];
  const queries = (alarm?.Metrics ?? []) as Query[];
  const isRed = (values: Readonly<Record<string, number>>) => isRedWith('RedirectErrors', values);
  // Two of three are refused: neither invocations nor errors.
  expect(isRed({ Invocations: 34, Errors: 0, Throttles: 66 })).toBe(true);
  expect(isRed({ Throttles: 100 })).toBe(true);
  expect(isRed({ Invocations: 700, Errors: 3, RedirectBusy: 4 })).toBe(true);
  expect(isRed({ Invocations: 701, Errors: 3, RedirectBusy: 4 })).toBe(false);
  expect(isRed({ Invocations: 100, Errors: 0 })).toBe(false);
  const throttles = queries.find(({ MetricStat }) => MetricStat?.Metric.MetricName === 'Throttles');
  expect(JSON.stringify(throttles?.MetricStat?.Metric.Dimensions)).toContain('ShortLinksRedirectFunction');
});

test.each([
  ['', [{ Name: 'Region', Value: 'eu-west-1' }]],
  ['Edge', []],
])('an alarm watches the blocks of the firewall of %p, by its metric name', (kind, region) => {
  const [acl] = Object.values(synthesizedStack(watched, kind).findResources('AWS::WAFv2::WebACL'));
  const name = acl?.Properties.VisibilityConfig.MetricName;
  expect(name).toMatch(/^DynamicLinks(Edge)?-prod/);
  (kind === '' ? prod : edge).hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmDescription: Match.stringLikeRegexp('#firewallblocks$'),
    Metrics: [
      Match.objectLike({
        MetricStat: Match.objectLike({
          Metric: {
            Namespace: 'AWS/WAFV2',
            MetricName: 'BlockedRequests',
            Dimensions: [...region, { Name: 'Rule', Value: 'ALL' }, { Name: 'WebACL', Value: name }],
          },
        }),
      }),
    ],
  });
});

test('without a firewall, it has no alarm', () => {
  const alarms = JSON.stringify(synthesizedStack(stagingContext).findResources('AWS::CloudWatch::Alarm'));
  expect(alarms).not.toContain('WAFV2');
});

test('a log filter counts refusals for the rate', () => {
  dev.hasResourceProperties('AWS::Logs::MetricFilter', {
    FilterPattern: '{ ($.status = "429") && ($.keyId != "-") }',
    MetricTransformations: [Match.objectLike({ MetricValue: '1' })],
  });
});

test('the alarm on the API, which guards releases, sees calls that the authorizer fails by the access log', () => {
  dev.hasResourceProperties('AWS::Logs::MetricFilter', {
    FilterPattern: '{ $.error = "AUTHORIZER_*" }',
    MetricTransformations: [Match.objectLike({ MetricName: 'AuthorizerFailed-DynamicLinks-dev' })],
  });
  const stage = Object.values(dev.findResources('AWS::ApiGateway::Stage')).find(
    ({ Properties }) => Properties.AccessLogSetting,
  );
  expect(JSON.parse(stage?.Properties.AccessLogSetting.Format).error).toBe('$context.error.responseType');
  expect(isRedWith('ApiErrors', { AuthorizerFailed: 50, Count: 60 })).toBe(true);
  expect(isRedWith('ApiErrors', { '5XXError': 50, Count: 60 })).toBe(true);
  expect(isRedWith('ApiErrors', { AuthorizerFailed: 0, '5XXError': 0, Count: 60 })).toBe(false);
});

test('the API is traced, and its functions log JSON', () => {
  dev.hasResourceProperties('AWS::ApiGateway::Stage', { TracingEnabled: true });
  for (const [id, { Properties }] of Object.entries(dev.findResources('AWS::Lambda::Function'))) {
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
    if (id.startsWith('Api')) expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
  }
});

/** By what functions' ids begin with, the more particular first: whose addresses their traces have, in the words of docs/personal-data.md. */
const tracedCallers = [
  ['ApiSignIn', "members' browsers"],
  ['Api', 'servers'],
] as const;

test('the page on personal data names everybody whose requests are traced', () => {
  const page = readFileSync(path.join(root, 'docs/personal-data.md'), 'utf8');
  const [, named = ''] =
    /Address and user agent of API clients \(([^)]*)\), of a sample of calls +\| X-Ray/.exec(page) ?? [];
  const functions = Object.entries(prod.findResources('AWS::Lambda::Function'));
  const traced = functions.filter(([, { Properties }]) => Properties.TracingConfig?.Mode === 'Active');
  expect(traced.length).toBeGreaterThan(10);
  const callers = traced.map(([id]) => tracedCallers.find(([start]) => id.startsWith(start))?.[1] ?? id);
  // The stage's own segments are of all its paths, the console's among them.
  for (const caller of new Set([...callers, "members' browsers"])) expect(named).toContain(caller);
});

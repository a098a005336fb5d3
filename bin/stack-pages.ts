import { App } from 'aws-cdk-lib';
import { settingsOf } from '../lib/settings.ts';
import { DynamicLinkStack } from '../lib/stack.ts';
import { synthesizedStacks } from '../ops/base/synthesized-stacks.ts';
import { read, table, withParts } from './page-parts.ts';

/* Pages that follow from the templates of a prod stage with every option. */

/** The context of a prod stage with every option. */
export const everyOption = {
  ...{ stage: 'prod', region: 'eu-west-1', alarmEmail: 'ops@example.com', monthlyBudget: '100' },
  ...{ shortDomain: 'go.example.com', shortHostedZoneId: 'Z1', apiDomain: 'api.example.com' },
  ...{ apiHostedZoneId: 'Z1', ownHosts: 'tenants', export: 'on', healthCheck: 'on' },
  standby: 'eu-central-1',
  ...{ signIn: 'https://id.example.com', signInClient: 'links', signInSecret: 'links' },
};

interface Metric {
  readonly Namespace?: string;
  readonly MetricName?: string;
}

interface AlarmProperties extends Metric {
  readonly AlarmDescription: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly Period?: number;
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly Period?: number;
    readonly MetricStat?: { readonly Metric: Metric; readonly Period: number };
  }[];
}

interface ProdTemplate {
  readonly stackName: string;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Type: string; readonly Default?: string }>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties: AlarmProperties;
}

const templatesOfProd = (): readonly ProdTemplate[] =>
  synthesizedStacks({
    settings: settingsOf(everyOption),
    read: (stacks) => stacks.map(({ stackName, template }) => ({ ...template, stackName })),
  });

/** The meaning of each metric in the namespace DynamicLinks. */
export const ownMetrics: Readonly<Record<string, string>> = {
  AppUnread: 'visits that were redirected without their saved app',
  AuthorizerFailed: 'calls for which the authorizer failed, from the access log',
  BatchFailed: 'batches of the stream that are read again',
  ClickForgotten: 'late clicks of projects that are deleted by now',
  ClickLost: 'clicks that neither the table nor the queue accepted',
  ClickQueued: 'clicks put into the queue',
  ClickRecordSkipped: 'clicks in the stream that could not be read',
  ClickUncertain:
    "clicks for which the table's answer is unknown; they aren't counted, so analytics are never too high",
  ClickWritten: 'clicks written, one line a minute for each execution environment',
  CopyFailed: 'items that were not copied to the second region yet',
  ExcludedVisitsLost: "visits of crawlers and previews that couldn't be counted",
  InternalError: 'failures, also by function',
  IssuerAway: "sign-ins for which the identity provider didn't answer",
  RateCounterUnavailable: "calls that couldn't be counted",
  RateRefused: 'calls with a key that got 429, from the access log',
  RedirectBusy: 'visits that got the page that reloads itself',
  RowsDelayed: 'batches with rows that Firehose did not accept',
  RowsLost: 'batches of rows that are missing from the export',
  SignInRefused: 'other failed sign-ins',
  TakedownsStale: 'failed renewals of the list of takedowns; the last list stays in use',
  TakedownsUnread:
    'visits that new execution environments answered without that list, when suspended links may redirect',
  WebhookFailing: 'webhooks that fail',
};

const metricsOf = ({ Metrics = [], ...metric }: AlarmProperties): readonly Metric[] =>
  metric.MetricName ? [metric] : Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);

const inUnits = ({ Threshold, Metrics = [] }: AlarmProperties, metrics: readonly Metric[]): string => {
  const isNamed = (pattern: RegExp) => metrics.some(({ MetricName = '' }) => pattern.test(MetricName));
  if (Metrics.some(({ Expression = '' }) => /100 \* part|, rate, 0/.test(Expression)))
    return `${Threshold} %`;
  if (isNamed(/^(Duration|Latency)$/)) return `${Threshold / 1000} s`;
  if (isNamed(/^IteratorAge$/)) return `${Threshold / 60_000} min behind`;
  return isNamed(/AgeOfOldest|DataFreshness/) ? `${Threshold / 60} min behind` : String(Threshold);
};

/** The least number of cases of a condition: of failures, or of all requests. */
const leastCases = (expression: string): string => {
  const [, part, rate, all] =
    /^IF\((?:part >= (\d+)|requests \* rate >= (\d+)00|(?:calls|requests) >= (\d+)),/.exec(expression) ?? [];
  if (all) return ` of at least ${all}`;
  return part || rate ? ` and ${part ?? rate}` : '';
};

const conditionOf = (alarm: AlarmProperties): string => {
  const { EvaluationPeriods: all, DatapointsToAlarm: some = all, Metrics = [] } = alarm;
  const period =
    alarm.Period ?? Math.max(...Metrics.map((one) => one.MetricStat?.Period ?? one.Period ?? 60));
  const minutes = (count: number) => (count * period) / 60;
  const span = some === all ? `${minutes(all)} min` : `${minutes(some)} of ${minutes(all)} min`;
  const cases = Metrics.map(({ Expression = '' }) => leastCases(Expression)).join('');
  return `${inUnits(alarm, metricsOf(alarm))}${cases} for ${span}`;
};

const shortName = ({ Namespace = '', MetricName = '' }: Metric): string =>
  Namespace.startsWith('AWS/')
    ? `${Namespace.slice('AWS/'.length)} ${MetricName}`
    : `\`${MetricName.replace(/-DynamicLinks-prod$/, '')}\``;

const alarmRow = ([heading, alarms]: [string, readonly AlarmProperties[]], headings: readonly string[]) => {
  const name = headings.find((one) => one.toLowerCase() === heading) ?? heading;
  const [kind] = /(?<=^\[)\w+/.exec(alarms[0]?.AlarmDescription ?? '') ?? [];
  const conditions = [...new Set(alarms.map(conditionOf))].join('; ');
  const metrics = [...new Set(alarms.flatMap(metricsOf).map(shortName))].join(', ');
  return [`[${name}](runbook.md#${heading})`, kind ?? '', conditions, metrics];
};

/** The documentation pages by file. */
export const stackPages = () => {
  const templates = templatesOfProd();
  const resources = templates.flatMap(({ Resources }) => Object.values(Resources));
  return {
    'docs/metrics.md': metricsPage(resources),
    'docs/deploy.md': withParts('docs/deploy.md', {
      services: servicesTable(resources),
      reads: table(['action', 'resource'], actionsOfValues(templates)),
      key: keyTable(),
    }),
  };
};

const metricsPage = (resources: readonly Resource[]): string => {
  const runbook = read('docs/runbook.md');
  const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading);
  const alarms = resources.flatMap(({ Type, Properties }) =>
    Type === 'AWS::CloudWatch::Alarm' ? [Properties] : [],
  );
  const byHeading = Map.groupBy(alarms, ({ AlarmDescription }) => AlarmDescription.split('#')[1] ?? '');
  const rows = [...byHeading].sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => alarmRow(row, headings));
  const own = Object.entries(ownMetrics).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return `# Objectives, alarms and metrics

The service's objectives, the threshold of every alarm and every metric of the service. The [runbook](runbook.md) has the steps for each alarm.

## Objectives

Objectives are measured over a month, and alarms defend them. None was measured on AWS. A total outage spends the error budget of 0.1 % in 43 minutes;
an error rate of 1 %, the threshold of the alarms, spends it in three days.

${table(['subject', 'objective', 'alarms'], objectives)}

## Alarms

An alarm goes off at its threshold or above it. “1 % and ≥ 5” means 1 %, but at least five, in each minute.

${table(['alarm', 'kind', 'threshold', 'metrics'], rows)}

## Metrics of the service

Functions write these metrics as log lines, in the namespace \`DynamicLinks\` with the dimension \`stack\`. Names of metrics from the access log end with
the name of the stack.

${table(['metric', 'counts'], own)}

\`npm run generate\` writes this page from the templates of a prod stage with every option.
`;
};

/** What the service must achieve in a month, with the alarms that defend it. */
const objectives = [
  [
    'visits',
    '99.9 % get a response of the service, not a 5xx',
    'RedirectErrors, EdgeErrors, HealthCheck, TableThrottled, FunctionsThrottled',
  ],
  ['speed of visits', '99 % take less than one second in the function', 'RedirectSlow'],
  ['API calls', '99.9 % get no 5xx', 'ApiErrors, AuthorizerErrors, RateCounterUnavailable'],
  ['speed of API calls', '99 % take less than two seconds', 'ApiSlow'],
  [
    'analytics',
    'every click is counted, 99 % within half an hour',
    'ClicksLost, ClicksLate, ClicksWaiting, ClicksUndeliverable, ReadersStopped, BatchesLost',
  ],
  [
    'events',
    'are sent within half an hour, if receivers accept them',
    'ExpiryLate, SenderErrors, ConsumerErrors',
  ],
];

const iamPrefixes: Readonly<Record<string, string>> = {
  CertificateManager: 'acm',
  KinesisFirehose: 'firehose',
};

/** Actions that CloudFormation needs for values in the templates, with their resources. */
const actionsOfValues = (templates: readonly ProdTemplate[]): string[][] => {
  const parameters = templates.flatMap(({ Parameters = {} }) =>
    Object.values(Parameters).filter(({ Type }) => Type.startsWith('AWS::SSM::Parameter::Value')),
  );
  const output = /"Fn::GetStackOutput":\{"StackName":"([^"]+)"/g;
  const stacks = templates.flatMap((one) =>
    [...JSON.stringify(one).matchAll(output)].map(([, name = '']) => name),
  );
  const resources = {
    'ssm:GetParameters': parameters.map(({ Default }) => `arn:aws:ssm:*:ACCOUNT:parameter${Default}`),
    'cloudformation:DescribeStacks': stacks.map((name) => `arn:aws:cloudformation:*:ACCOUNT:stack/${name}/*`),
  };
  return Object.entries(resources).flatMap(([action, all]) =>
    [...new Set(all)].map((resource) => [`\`${action}\``, `\`${resource}\``]),
  );
};

/** A value of a statement, whose only reference is to the partition. */
const textOf = (value: string | { readonly 'Fn::Join': readonly [string, readonly unknown[]] }): string =>
  typeof value === 'string'
    ? value
    : value['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'aws')).join('');

/** The statements that the policy of an encryption key needs. */
const keyTable = (): string => {
  const [account, region] = ['123456789012', everyOption.region];
  const settings = settingsOf({
    ...everyOption,
    encryptionKeyArn: `arn:aws:kms:${region}:${account}:key/${'0'.repeat(36)}`,
  });
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new DynamicLinkStack(app, 'DynamicLinks-prod', { settings, env: { account } });
  const rows = stack.keyPolicyStatements().map((statement) => {
    const { Principal, Action, Condition } = stack.resolve(statement.toStatementJson());
    const conditions = Object.values<Record<string, string | string[]>>(Condition).flatMap((one) =>
      Object.entries(one),
    );
    const cells = [
      [Principal.Service ?? '*'],
      [Action].flat(),
      conditions.map(([key, value]) => `${key} = ${[value].flat().map(textOf).join(', ')}`),
    ];
    return cells.map((texts) =>
      texts
        .map((text) => `\`${text}\``)
        .join(', ')
        .replaceAll(account, 'ACCOUNT')
        .replaceAll(region, 'REGION'),
    );
  });
  return table(['principal', 'actions', 'conditions'], rows);
};

/** The services that the templates use, by the prefixes of their IAM actions. */
const servicesTable = (resources: readonly Resource[]): string => {
  const types = [...new Set(resources.map(({ Type }) => Type.split('::')))].filter(([of]) => of === 'AWS');
  const byService = Map.groupBy(types, ([, service = '']) => service);
  const rows = [...byService]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([service, all]) => {
      const names = [...new Set(all.map(([, , name]) => name))].sort();
      return [`\`${iamPrefixes[service] ?? service.toLowerCase()}\``, names.join(', ')];
    });
  return table(['IAM prefix', 'resource types'], rows);
};

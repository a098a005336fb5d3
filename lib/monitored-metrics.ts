import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Unread } from '../core/cached-reads/visitor-reads.ts';
import { tableSchema } from '../core/table/keys.ts';
import type { Heading } from './alarm-names.ts';
import { type AlarmOptions, manyBlocks } from './alarms.ts';
import type { ServiceApi } from './api.ts';
import type { ClickQueue } from './click-queue.ts';
import type { Clicks } from './clicks.ts';
import type { Copying } from './copying.ts';
import {
  apiMetric,
  computed,
  edgeMetric,
  failures,
  logged,
  minute,
  ownMetric,
  percentiles,
  plus,
  sum,
} from './metrics.ts';
import type { ShortLinks } from './short-links.ts';
import type { Webhooks } from './webhooks.ts';

export interface Measured {
  readonly table: ITable;
  readonly shortLinks: ShortLinks;
  readonly api: ServiceApi;
  readonly clicks: Clicks;
  readonly clickQueue: ClickQueue;
  readonly webhooks: Webhooks;
  readonly copying: Copying | undefined;
}

/** The dashboard's graphs, two in a row, from users' symptoms down to causes. */
export const graphs = {
  visits: 'Short URLs: traffic',
  calls: 'API: traffic',
  edge: 'Short URLs: what visitors get at the edge (percent)',
  refusals: 'Throttles, and what the firewall blocks',
  visitErrors: 'Short URLs: errors, lost clicks and what was not read',
  callErrors: 'API: errors',
  visitTimes: 'Short URLs: time in the redirect (ms)',
  callTimes: 'API: time to answer (ms)',
  behind: 'Click analytics: how far behind (ms)',
  batches: 'Click analytics: failed batches, skipped records',
  queue: 'Clicks in the queue',
  queueAge: 'Clicks in the queue: the oldest (s), uncertain ones',
  webhooks: 'Webhooks: failing, sender errors',
  sender: 'Webhooks: the oldest message to the sender (s)',
  units: 'Table: units consumed',
} as const;

/** A metric with its graph and its alarm, if it has them. */
export type MonitoredMetric = readonly [
  graph: keyof typeof graphs | undefined,
  metric: cloudwatch.IMetric,
  alarm?: AlarmOptions & { readonly alarm: Heading },
];

/** All metrics of the dashboard and of alarms. */
export const monitoredMetrics = (scope: Construct, measured: Measured): readonly MonitoredMetric[] => [
  ...ofVisits(scope, measured),
  ...ofCalls(scope, measured),
  ...ofSignIn(scope, measured.api),
  ...ofReaders(scope, measured),
  ...ofQueues(scope, measured),
  ...(measured.clicks.stream ? ofExport(measured.clicks.stream) : []),
  ...(measured.copying ? ofCopying(scope, measured.copying) : []),
  ...ofLimits(measured),
];

const ofVisits = (
  scope: Construct,
  { shortLinks: { redirect, distribution } }: Measured,
): MonitoredMetric[] => {
  const { function: handler } = redirect;
  const visits = handler.metricInvocations({ ...sum, label: 'Redirects' });
  // Lambda counts throttled calls neither as invocations nor as errors.
  const refused = handler.metricThrottles({ ...sum, label: 'Refused (429)' });
  // A failed redirect returns a busy page, which Lambda counts as a success.
  const busy = ownMetric(scope, 'RedirectBusy', 'Busy pages');
  const errors = [handler.metricErrors({ ...sum, label: 'Errors' }), busy, refused];
  const shareOf = plus([visits, refused], 'Requests', 'of');
  const [median, slow] = percentiles((options) => handler.metricDuration(options));
  const unread = ['AppUnread', 'TakedownsStale', 'TakedownsUnread'] satisfies Unread[];
  return [
    ['visits', edgeMetric(distribution, 'Requests', { ...sum, label: 'Requests at the edge' })],
    ['visits', visits],
    ['edge', edgeMetric(distribution, '5xxErrorRate', { label: 'Failed (5xx), percent' })],
    ['edge', edgeMetric(distribution, '4xxErrorRate', { label: 'Refused (4xx), percent' })],
    [
      'visitErrors',
      plus(errors, 'Errors, busy pages, refusals'),
      { alarm: 'RedirectErrors', minutes: 2, shareOf },
    ],
    ['visitErrors', ownMetric(scope, 'ClickLost', 'Clicks lost'), { alarm: 'ClicksLost', minutes: 1 }],
    ...unread.map((name): MonitoredMetric => ['visitErrors', ownMetric(scope, name, name)]),
    ['visitTimes', median],
    ['visitTimes', slow, { alarm: 'RedirectSlow', at: 1000, minutes: 5 }],
  ];
};

const issuerAway = (scope: Construct) => ownMetric(scope, 'IssuerAway', 'Identity provider away');

const ofCalls = (scope: Construct, { api }: Measured): MonitoredMetric[] => {
  const calls = apiMetric(api, 'Count', { ...sum, label: 'Calls' });
  // API Gateway counts these responses as 4xx, because their status differs from its default.
  const unanswered = logged(scope, api, 'AuthorizerFailed', 'Failed in the authorizer');
  const ofApi = apiMetric(api, '5XXError', { ...sum, label: 'Failed (5xx)' });
  const all = plus([ofApi, unanswered], 'Failed', 'failed');
  // An identity provider's outage has its own alarm.
  const failed = api.signIn
    ? computed('Failed', 'all - FILL(away, 0)', { all, away: issuerAway(scope) })
    : all;
  // The function's own error count would include every unknown key.
  const authorizer = failures(scope, api.authorize, 'Authorizer errors');
  const uncounted = ownMetric(scope, 'RateCounterUnavailable', 'Calls that could not be counted');
  const tooMany = { alarm: 'CallsRefused', at: 10, minutes: 10, shareOf: calls, atLeast: 50 } as const;
  const [median, slow] = percentiles((options) => apiMetric(api, 'Latency', options));
  return [
    ['calls', calls],
    ['calls', apiMetric(api, '4XXError', { ...sum, label: 'Refused (4xx)' })],
    ['calls', logged(scope, api, 'RateRefused', 'Refused for their rate (429)'), tooMany],
    ['callErrors', failed, { alarm: 'ApiErrors', minutes: 2, shareOf: calls }],
    ['callErrors', authorizer, { alarm: 'AuthorizerErrors', at: 5 }],
    ['callErrors', uncounted, { alarm: 'RateCounterUnavailable', at: 10 }],
    ['callTimes', median],
    ['callTimes', slow],
    // At night ten imports would be a large share of few calls.
    [
      undefined,
      computed('p99 of many', 'IF(calls >= 100, slow, 0)', { calls, slow }),
      { alarm: 'ApiSlow', at: 2000, minutes: 5 },
    ],
  ];
};

const ofSignIn = (scope: Construct, { signIn }: ServiceApi): MonitoredMetric[] => {
  if (!signIn) return [];
  const failed = [issuerAway(scope), signIn.function.metricErrors(sum), failures(scope, signIn)];
  return [
    ['callErrors', plus(failed, 'Sign-in errors'), { alarm: 'SignInErrors', at: 3 }],
    ['refusals', ownMetric(scope, 'SignInRefused', 'Sign-ins refused')],
  ];
};

/** The readers of the table's stream. */
const ofReaders = (scope: Construct, { clicks }: Measured): MonitoredMetric[] => {
  const [aggregate, emit] = [clicks.aggregate.function, clicks.emit.function];
  const emitted = 'Expired links and events';
  const age = (reader: lambda.IFunction, label: string) =>
    reader.metric('IteratorAge', { ...minute, statistic: 'Maximum', label });
  const undelivered = (reader: lambda.IFunction) =>
    reader.metric('DestinationDeliveryFailures', { ...sum, label: 'Batches lost' });
  const failed = [
    aggregate.metricErrors({ ...sum, label: 'Click analytics' }),
    emit.metricErrors({ ...sum, label: emitted }),
    ownMetric(scope, 'BatchFailed', 'Failed batches'),
  ];
  const skipped = ownMetric(scope, 'ClickRecordSkipped', 'Records skipped');
  const at = Duration.minutes(30).toMilliseconds();
  return [
    ['behind', age(aggregate, 'Clicks'), { alarm: 'ClicksLate', at }],
    ['behind', age(emit, emitted), { alarm: 'ExpiryLate', at }],
    // Lambda pauses between retries.
    ['batches', plus(failed), { alarm: 'ConsumerErrors', minutes: 5, within: 15 }],
    ['batches', skipped, { alarm: 'ClicksSkipped', minutes: 1 }],
    [undefined, plus([aggregate, emit].map(undelivered)), { alarm: 'BatchesLost', minutes: 1 }],
    [undefined, stopped(scope, aggregate, emit), { alarm: 'ReadersStopped', minutes: 45, each: 15 }],
  ];
};

const quarter = { period: Duration.minutes(15) };

/**
 * Whether clicks were written but a reader, which gets each within five minutes, wasn't invoked. Redirects and table
 * writes are no signs, because crawlers and API calls also cause them.
 */
const stopped = (scope: Construct, ...[aggregate, emit]: [lambda.IFunction, lambda.IFunction]) =>
  computed(
    'Readers stopped',
    'IF(clicks >= 1 AND (FILL(aggregate, 0) == 0 OR FILL(emit, 0) == 0), 1, 0)',
    {
      clicks: ownMetric(scope, 'ClickWritten', 'Clicks written').with(quarter),
      aggregate: aggregate.metricInvocations(quarter),
      emit: emit.metricInvocations(quarter),
    },
    quarter,
  );

const ofQueues = (
  scope: Construct,
  { clickQueue, webhooks: { queue, send } }: Measured,
): MonitoredMetric[] => {
  const { queue: clicks, deadLetters } = clickQueue;
  const dead = deadLetters.metricApproximateNumberOfMessagesVisible({ ...minute, label: 'Undeliverable' });
  const oldest = clicks.metricApproximateAgeOfOldestMessage({ ...minute, label: 'Oldest (s)' });
  const wake = { ...minute, statistic: 'Maximum', label: 'Oldest message to the sender (s)' };
  const failing = ownMetric(scope, 'WebhookFailing', 'Failing webhooks');
  const errors = send.function.metricErrors({ ...sum, label: 'Sender errors' });
  return [
    ['queue', clicks.metricApproximateNumberOfMessagesVisible({ ...minute, label: 'Waiting' })],
    ['queue', ownMetric(scope, 'ClickQueued', 'Clicks put into the queue')],
    ['queue', dead, { alarm: 'ClicksUndeliverable', minutes: 1 }],
    ['queueAge', oldest, { alarm: 'ClicksWaiting', at: Duration.minutes(30).toSeconds() }],
    ['queueAge', ownMetric(scope, 'ClickUncertain', 'Clicks that may be counted already')],
    // Every turn emits it again, at least every quarter of an hour.
    ['webhooks', failing, { alarm: 'WebhooksFailing', minutes: 1, within: 20 }],
    ['webhooks', errors, { alarm: 'SenderErrors', minutes: 5, within: 15 }],
    ['sender', queue.metricApproximateAgeOfOldestMessage(wake)],
  ];
};

/** The way of changes to the second region. */
const ofCopying = (scope: Construct, { queue, copier }: Copying): MonitoredMetric[] => {
  const oldest = queue.metricApproximateAgeOfOldestMessage({ ...minute, label: 'Oldest (s)' });
  const errors = copier.function.metricErrors({ ...sum, label: 'Copier errors' });
  const failed = plus([errors, ownMetric(scope, 'CopyFailed', 'Items not copied')]);
  return [
    [undefined, oldest, { alarm: 'CopyLate', at: 60 }],
    [undefined, failed, { alarm: 'CopyErrors', minutes: 5, within: 15 }],
  ];
};

/** Metrics of exported rows: the service's own until Firehose has them, then Firehose's. */
const ofExport = (stream: CfnDeliveryStream): MonitoredMetric[] => {
  const dimensionsMap = { DeliveryStreamName: stream.ref };
  const firehose = (metricName: string, options: cloudwatch.MetricOptions) =>
    new cloudwatch.Metric({ namespace: 'AWS/Firehose', metricName, dimensionsMap, ...options });
  const oldest = { ...minute, statistic: 'Maximum', label: 'Oldest row' };
  const age = firehose('DeliveryToS3.DataFreshness', oldest);
  const delayed = ownMetric(stream, 'RowsDelayed', 'Files with delayed rows');
  const lost = ownMetric(stream, 'RowsLost', 'Batches with lost rows');
  const refused = firehose('FailedConversion.Records', { ...sum, label: 'Rows not converted' });
  return [
    [undefined, age, { alarm: 'ExportLate', at: Duration.hours(1).toSeconds() }],
    [undefined, delayed, { alarm: 'ExportDelayed', minutes: 1 }],
    [undefined, lost, { alarm: 'ExportLost', minutes: 1 }],
    [undefined, refused, { alarm: 'ExportRefused', minutes: 1 }],
  ];
};

/** Metrics of shared limits. */
const ofLimits = ({ table, api: { firewall } }: Measured): MonitoredMetric[] => {
  const index = { TableName: table.tableName, GlobalSecondaryIndexName: tableSchema.listings.name };
  const throttles = ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => [
    table.metric(name, { ...sum, label: name }),
    table.metric(name, { ...sum, label: `${name} (index)`, dimensionsMap: index }),
  ]);
  // All functions of an account share concurrency, so the metric covers all of them.
  const ofAccount = {
    namespace: 'AWS/Lambda',
    metricName: 'Throttles',
    label: 'Functions (account)',
    ...sum,
  };
  const blocked: MonitoredMetric[] = firewall
    ? [['refusals', firewall.blocked, { alarm: 'FirewallBlocks', ...manyBlocks }]]
    : [];
  return [
    ['refusals', plus(throttles), { alarm: 'TableThrottled', at: 10 }],
    ['refusals', new cloudwatch.Metric(ofAccount), { alarm: 'FunctionsThrottled', at: 10 }],
    ...blocked,
    ['units', table.metricConsumedReadCapacityUnits({ ...sum, label: 'Read units' })],
    ['units', table.metricConsumedWriteCapacityUnits({ ...sum, label: 'Write units' })],
  ];
};

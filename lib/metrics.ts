import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Unread } from '../core/reads/visitor-reads.ts';
import { tableSchema } from '../core/table/keys.ts';
import type { ServiceApi } from './api.ts';
import type { ClickExport } from './click-export.ts';
import type { ClickQueue } from './click-queue.ts';
import type { Clicks } from './clicks.ts';
import { edgeMetric } from './edge-metrics.ts';
import type { ServiceFunction } from './function.ts';
import type { ShortLinks } from './short-links.ts';
import type { ServiceTable } from './table.ts';
import type { Webhooks } from './webhooks.ts';

export interface Measured {
  readonly table: ServiceTable;
  readonly shortLinks: ShortLinks;
  readonly api: ServiceApi;
  readonly clicks: Clicks;
  readonly clickQueue: ClickQueue;
  readonly webhooks: Webhooks;
}

export type Metrics = ReturnType<typeof serviceMetrics>;

const namespace = 'DynamicLinks';
const minute = { period: Duration.minutes(1) };
const sum = { ...minute, statistic: 'Sum' };

/** A metric that the functions write as log lines (lambdas/log.ts), for this stack only. */
const ownMetric = (
  scope: Construct,
  metricName: string,
  dimensions: Record<string, string> = {},
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace,
    metricName,
    dimensionsMap: { stack: Stack.of(scope).stackName, ...dimensions },
    ...sum,
  });

/** Failures that the function itself reported, whether it recovered or threw. */
export const failures = (scope: Construct, { function: handler }: ServiceFunction): cloudwatch.Metric =>
  ownMetric(scope, 'InternalError', { function: handler.functionName });

/** Everything that the dashboard shows and the alarms watch. */
export const serviceMetrics = (
  scope: Construct,
  { table, shortLinks, api, clicks, clickQueue, webhooks }: Measured,
) => {
  const redirect = shortLinks.redirect.function;
  return {
    visits: edgeMetric(shortLinks.distribution, 'Requests', { ...sum, label: 'Requests at the edge' }),
    edgeFailures: edgeMetric(shortLinks.distribution, '5xxErrorRate', { label: 'Failed (5xx), percent' }),
    edgeRefusals: edgeMetric(shortLinks.distribution, '4xxErrorRate', { label: 'Refused (4xx), percent' }),
    redirects: redirect.metricInvocations({ ...sum, label: 'Redirects' }),
    // A redirect that fails responds with a busy page, which Lambda counts as a success.
    redirectErrors: plus([
      redirect.metricErrors({ ...sum, label: 'Errors' }),
      ownMetric(scope, 'RedirectBusy').with({ label: 'Busy pages' }),
    ]).with({ label: 'Errors and busy pages' }),
    unread: (['AppUnread', 'TakedownsStale', 'TakedownsUnread'] satisfies Unread[]).map((name) =>
      ownMetric(scope, name).with({ label: name }),
    ),
    redirectTimes: percentiles((options) => redirect.metricDuration(options)),
    clicksLost: ownMetric(scope, 'ClickLost').with({ label: 'Clicks lost' }),
    clicksUncertain: ownMetric(scope, 'ClickUncertain').with({ label: 'Clicks that may be counted already' }),
    clicksQueued: ownMetric(scope, 'ClickQueued').with({ label: 'Clicks put into the queue' }),
    clicksWaiting: clickQueue.queue.metricApproximateNumberOfMessagesVisible({ ...minute, label: 'Waiting' }),
    oldestWaiting: clickQueue.queue.metricApproximateAgeOfOldestMessage({ ...minute, label: 'Oldest (s)' }),
    clicksUndeliverable: clickQueue.deadLetters.metricApproximateNumberOfMessagesVisible({
      ...minute,
      label: 'Undeliverable',
    }),
    calls: apiMetric(api, 'Count', { ...sum, label: 'Calls' }),
    refusedCalls: apiMetric(api, '4XXError', { ...sum, label: 'Refused (4xx)' }),
    failedCalls: apiMetric(api, '5XXError', { ...sum, label: 'Failed (5xx)' }),
    callTimes: percentiles((options) => apiMetric(api, 'Latency', options)),
    // Not the function's own count of errors, in which every unknown key is one.
    authorizerErrors: failures(scope, api.authorize).with({ label: 'Authorizer errors' }),
    rateRefusals: rateRefusals(scope, api),
    firewallBlocks: api.firewall?.blocked,
    uncountedCalls: ownMetric(scope, 'RateCounterUnavailable').with({
      label: 'Calls that could not be counted',
    }),
    skippedRecords: ownMetric(scope, 'ClickRecordSkipped').with({ label: 'Records skipped' }),
    clicksAge: iteratorAge(clicks.aggregate.function, 'Clicks'),
    expiryAge: iteratorAge(clicks.tell.function, 'Expired links and events'),
    consumerErrors: plus([
      clicks.aggregate.function.metricErrors({ ...sum, label: 'Click figures' }),
      clicks.tell.function.metricErrors({ ...sum, label: 'Expired links and events' }),
      ownMetric(scope, 'BatchFailed').with({ label: 'Failed batches' }),
    ]),
    batchesLost: plus(
      [clicks.aggregate, clicks.tell].map(({ function: consumer }) =>
        consumer.metric('DestinationDeliveryFailures', { ...sum, label: 'Batches lost' }),
      ),
    ),
    failingWebhooks: ownMetric(scope, 'WebhookFailing').with({ label: 'Failing webhooks' }),
    oldestWake: webhooks.queue.metricApproximateAgeOfOldestMessage({
      ...minute,
      statistic: 'Maximum',
      label: 'Oldest message to the sender (s)',
    }),
    senderErrors: webhooks.send.function.metricErrors({ ...sum, label: 'Sender errors' }),
    rows: clicks.export && exportMetrics(clicks.export),
    // Concurrency is shared by all functions of an account, so this is counted over all of them.
    functionThrottles: new cloudwatch.Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Throttles',
      label: 'Functions (account)',
      ...sum,
    }),
    tableThrottles: plus(throttles(table)),
    readUnits: table.table.metricConsumedReadCapacityUnits({ ...sum, label: 'Read units' }),
    writeUnits: table.table.metricConsumedWriteCapacityUnits({ ...sum, label: 'Write units' }),
  };
};

/** What becomes of exported rows: by the service's own metrics until Firehose has them, then by Firehose's. */
const exportMetrics = ({ stream }: ClickExport) => {
  const firehose = (metricName: string, options: cloudwatch.MetricOptions) =>
    new cloudwatch.Metric({
      namespace: 'AWS/Firehose',
      metricName,
      dimensionsMap: { DeliveryStreamName: stream.ref },
      ...options,
    });
  return {
    /** Seconds for which the oldest row waits. */
    age: firehose('DeliveryToS3.DataFreshness', { ...minute, statistic: 'Maximum', label: 'Oldest row' }),
    delayed: ownMetric(stream, 'RowsDelayed').with({ label: 'Files with delayed rows' }),
    lost: ownMetric(stream, 'RowsLost').with({ label: 'Batches with lost rows' }),
    refused: firehose('FailedConversion.Records', { ...sum, label: 'Rows not converted' }),
  };
};

const percentiles = (metric: (options: cloudwatch.MetricOptions) => cloudwatch.Metric) =>
  ['p50', 'p99'].map((statistic) => metric({ ...minute, statistic, label: statistic })) as [
    cloudwatch.Metric,
    cloudwatch.Metric,
  ];

/** By names and not by reference: the stage waits for the aliases, and these for the alarms that guard them. */
const apiMetric = (
  { name, stageName }: ServiceApi,
  metricName: string,
  options: cloudwatch.MetricOptions,
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName: name, Stage: stageName },
    ...options,
  });

const iteratorAge = (consumer: lambda.IFunction, label: string): cloudwatch.Metric =>
  consumer.metric('IteratorAge', { ...minute, statistic: 'Maximum', label });

const throttles = ({ table }: ServiceTable): cloudwatch.Metric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => [
    table.metric(name, { ...sum, label: name }),
    table.metric(name, {
      ...sum,
      label: `${name} (index)`,
      dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: tableSchema.listings.name },
    }),
  ]);

/** Sums metrics, treating missing data points as zero. */
const plus = (metrics: readonly cloudwatch.Metric[]): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    ...minute,
    label: 'Sum',
    expression: metrics.map((_, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
  });

/** Read off the access log, which costs the functions nothing and sees the gateway's own refusals too. */
const rateRefusals = (scope: Construct, { accessLog }: ServiceApi): cloudwatch.Metric => {
  const filter = new logs.MetricFilter(scope, 'RateRefusals', {
    logGroup: accessLog,
    filterPattern: logs.FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace: namespace,
    metricName: `RateRefused-${Stack.of(scope).stackName}`,
    metricValue: '1',
  });
  return filter.metric({ ...sum, label: 'Refused for their rate (429)' });
};

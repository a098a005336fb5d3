import { Duration, Stack } from 'aws-cdk-lib';
import type * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceApi } from './api.ts';
import { edgeRegion } from './domains.ts';
import type { ServiceFunction } from './function.ts';

const namespace = 'DynamicLinks';
export const minute = { period: Duration.minutes(1) };
export const sum = { ...minute, statistic: 'Sum' };

/** A metric that the functions write as log lines (lambdas/frame/log.ts), for this stack only. */
export const ownMetric = (
  scope: Construct,
  metricName: string,
  label?: string,
  dimensions: Record<string, string> = {},
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace,
    metricName,
    dimensionsMap: { stack: Stack.of(scope).stackName, ...dimensions },
    ...sum,
    ...(label && { label }),
  });

/** Failures that the function itself reported, whether it recovered or threw. */
export const failures = (scope: Construct, made: ServiceFunction, label?: string): cloudwatch.Metric =>
  ownMetric(scope, 'InternalError', label, { function: made.function.functionName });

/** The median, and the slowest of a hundred. */
export const percentiles = (metric: (options: cloudwatch.MetricOptions) => cloudwatch.Metric) =>
  ['p50', 'p99'].map((statistic) => metric({ ...minute, statistic, label: statistic })) as [
    cloudwatch.Metric,
    cloudwatch.Metric,
  ];

/** By names and not by reference: the stage waits for the aliases, and these for the alarms that guard them. */
export const apiMetric = (
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

/** A metric of CloudFront, which keeps them all in one region and under one more dimension. */
export const edgeMetric = (
  { distributionId }: Pick<cloudfront.IDistribution, 'distributionId'>,
  metricName: string,
  options: cloudwatch.MetricOptions,
): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    region: edgeRegion,
    ...minute,
    ...options,
  });

/** Sums metrics, treating missing data points as zero. Two sums of one expression or graph begin their ids otherwise. */
export const plus = (
  metrics: readonly cloudwatch.Metric[],
  label = 'Sum',
  ids = 'm',
): cloudwatch.MathExpression =>
  new cloudwatch.MathExpression({
    ...minute,
    label,
    expression: metrics.map((_, index) => `FILL(${ids}${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`${ids}${index}`, metric])),
  });

/** What an expression makes of metrics. */
export const computed = (
  label: string,
  expression: string,
  usingMetrics: Record<string, cloudwatch.IMetric>,
  options: cloudwatch.MathExpressionOptions = minute,
) => new cloudwatch.MathExpression({ ...options, label, expression, usingMetrics });

/** A metric in percent of another; a few single cases at night are not a share of anything. */
export const percent = (part: cloudwatch.IMetric, whole: cloudwatch.IMetric, atLeast = 5) =>
  computed('Percent', `IF(part >= ${atLeast}, 100 * part / whole, 0)`, { part, whole });

const { stringValue, all } = logs.FilterPattern;

/** By a metric's name: the filter's id, and which lines of the access log it counts. */
const readOff = {
  AuthorizerFailed: ['AuthorizerFailures', stringValue('$.error', '=', 'AUTHORIZER_*')],
  // Of clients: crawlers of the reference page have no key.
  RateRefused: ['RateRefusals', all(stringValue('$.status', '=', '429'), stringValue('$.keyId', '!=', '-'))],
} as const;

/** Read off the access log, which costs the functions nothing and sees the gateway's own responses, too. */
export const logged = (
  scope: Construct,
  { accessLog }: ServiceApi,
  name: keyof typeof readOff,
  label: string,
): cloudwatch.Metric => {
  const [id, filterPattern] = readOff[name];
  const filter = new logs.MetricFilter(scope, id, {
    logGroup: accessLog,
    filterPattern,
    metricNamespace: namespace,
    metricName: `${name}-${Stack.of(scope).stackName}`,
    metricValue: '1',
  });
  return filter.metric({ ...sum, label });
};

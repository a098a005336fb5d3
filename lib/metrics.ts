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

/** A metric of this stack that functions write as log lines (lambdas/frame/log.ts). */
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

/** Failures that the function logged, whether it recovered or threw. */
export const failures = (scope: Construct, made: ServiceFunction, label?: string): cloudwatch.Metric =>
  ownMetric(scope, 'InternalError', label, { function: made.function.functionName });

/** The median and the 99th percentile. */
export const percentiles = (metric: (options: cloudwatch.MetricOptions) => cloudwatch.Metric) =>
  ['p50', 'p99'].map((statistic) => metric({ ...minute, statistic, label: statistic })) as [
    cloudwatch.Metric,
    cloudwatch.Metric,
  ];

/** A metric of the API, by names: a reference would be circular, because the stage depends on aliases and their alarms. */
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

/** A metric of CloudFront, which has all of them in one region with an additional dimension. */
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

/** A sum of metrics, with missing data points as zero. Two sums in one expression or graph need different `ids`. */
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

/** A math expression of metrics. */
export const computed = (
  label: string,
  expression: string,
  usingMetrics: Record<string, cloudwatch.IMetric>,
  options: cloudwatch.MathExpressionOptions = minute,
) => new cloudwatch.MathExpression({ ...options, label, expression, usingMetrics });

/** A metric in percent of another; 0 below `atLeast`, so that a few cases at night don't matter. */
export const percent = (part: cloudwatch.IMetric, whole: cloudwatch.IMetric, atLeast = 5) =>
  computed('Percent', `IF(part >= ${atLeast}, 100 * part / whole, 0)`, { part, whole });

const { stringValue, all } = logs.FilterPattern;

/** Metrics of the access log by name: the filter's id, and the lines that it counts. */
const readOff = {
  AuthorizerFailed: ['AuthorizerFailures', stringValue('$.error', '=', 'AUTHORIZER_*')],
  // Only clients' calls: crawlers of the reference page have no key.
  RateRefused: ['RateRefusals', all(stringValue('$.status', '=', '429'), stringValue('$.keyId', '!=', '-'))],
} as const;

/** A metric of the access log, which costs functions nothing and includes the gateway's own responses. */
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

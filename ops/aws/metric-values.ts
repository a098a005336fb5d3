import type { CloudWatchClientConfig, MetricDataQuery, MetricDataResult } from '@aws-sdk/client-cloudwatch';

interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string | undefined>>;
  readonly seconds: number;
  readonly statistic: 'Maximum' | 'Minimum' | 'Sum';
}

/** CloudWatch's query for a metric. */
export const metricQuery = (
  Id: string,
  { namespace: Namespace, name: MetricName, dimensions, seconds: Period, statistic: Stat }: Metric,
): MetricDataQuery => {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return { Id, MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period, Stat } };
};

/** The results of the last minutes by the queries' ids, the latest values first. */
export const metricValues = async (
  { region }: Pick<CloudWatchClientConfig, 'region'>,
  minutes: number,
  queries: MetricDataQuery[],
): Promise<ReadonlyMap<string, MetricDataResult>> => {
  // Loaded only here: a local stack has no CloudWatch.
  const { CloudWatchClient, GetMetricDataCommand } = await import('@aws-sdk/client-cloudwatch');
  const now = Date.now();
  const { MetricDataResults = [] } = await new CloudWatchClient({ ...(region && { region }) }).send(
    new GetMetricDataCommand({
      StartTime: new Date(now - minutes * 60_000),
      // A minute more, because clocks differ.
      EndTime: new Date(now + 60_000),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: queries,
    }),
  );
  return new Map(MetricDataResults.map((result) => [result.Id ?? '', result]));
};

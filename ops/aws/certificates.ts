import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';

/** Days left at which a certificate needs action: ACM renews its own ones 60 days before they expire. */
export const renewalDays = 21;

/** Days until a certificate expires, from ACM's metric, twice a day; undefined without a value. */
export const certificateDaysLeft = async (certificateArn: string): Promise<number | undefined> => {
  const client = new CloudWatchClient({ region: certificateArn.split(':')[3] ?? '' });
  const now = Date.now();
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(now - 2 * 86_400_000),
      EndTime: new Date(now),
      MetricDataQueries: [
        {
          Id: 'days',
          MetricStat: {
            Metric: {
              Namespace: 'AWS/CertificateManager',
              MetricName: 'DaysToExpiry',
              Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
            },
            Period: 3600,
            Stat: 'Minimum',
          },
        },
      ],
    }),
  );
  const values = MetricDataResults[0]?.Values ?? [];
  return values.length > 0 ? Math.min(...values) : undefined;
};

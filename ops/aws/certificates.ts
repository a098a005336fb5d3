import { metricQuery, metricValues } from './metric-values.ts';

/** Days left at which a certificate needs action: ACM renews its own ones 60 days before they expire. */
export const renewalDays = 21;

/** Days until a certificate expires, from ACM's metric, twice a day; undefined without a value. */
export const certificateDaysLeft = async (certificateArn: string): Promise<number | undefined> => {
  const region = certificateArn.split(':')[3] ?? '';
  const query = metricQuery('days', {
    namespace: 'AWS/CertificateManager',
    name: 'DaysToExpiry',
    dimensions: { CertificateArn: certificateArn },
    seconds: 3600,
    statistic: 'Minimum',
  });
  const values = (await metricValues({ region }, 2 * 24 * 60, [query])).get('days')?.Values ?? [];
  return values.length > 0 ? Math.min(...values) : undefined;
};

import { Duration } from 'aws-cdk-lib';
import type * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { edgeRegion } from './domains.ts';

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
    period: Duration.minutes(1),
    ...options,
  });

import { Token } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { ConfigError } from './config-error.ts';

/** AWS regions without function URLs, which the redirect needs. */
const withoutFunctionUrls = new Set([
  ...['ap-east-2', 'ap-south-2', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-2', 'il-central-1', 'me-central-1'],
]);

/** Regions in which API Gateway gives an account a quarter of the usual calls. */
const withFewCalls = new Set(['af-south-1', 'ap-southeast-3', 'eu-south-1', 'mx-central-1']);

/** API Gateway's default quota of an account, in calls per second. */
export const usualCallsPerSecond = (region: string): number => (withFewCalls.has(region) ? 2500 : 10_000);

/** Throws ConfigError for a region in which a deployment would fail half-way. */
export const checkRegion = (region: string, key = 'region'): void => {
  if (withoutFunctionUrls.has(region)) {
    throw new ConfigError(
      `${key} ${region} has no Lambda function URLs, which the redirect needs; choose a region near it, such as ${nearby(region)}`,
    );
  }
  if (/^(cn|us-gov|us-iso\w?|eu-isoe|eusc)-/.test(region)) {
    throw new ConfigError(
      `${key} ${region} is in a partition whose CloudFront this service does not fit; choose a region of the partition aws`,
    );
  }
};

/** Throws ConfigError unless a second region can serve visitors of a service in the first one. */
export const checkStandby = (standby: string, region: string | undefined): void => {
  if (region === undefined || Token.isUnresolved(region))
    throw new ConfigError("standby needs region, the service's own, because the second one must differ");
  if (standby === region)
    throw new ConfigError(`standby must be another region than ${region}, where the service is`);
  if (!RegionInfo.regions.some(({ name }) => name === standby))
    throw new ConfigError(`standby ${standby} is no AWS region that this version of the CDK knows`);
  checkRegion(standby, 'standby');
};

const nearby = (region: string): string =>
  ({ ap: 'ap-southeast-1', ca: 'ca-central-1', eu: 'eu-central-1', il: 'eu-central-1', me: 'me-south-1' })[
    region.slice(0, 2)
  ] ?? 'us-east-1';

import { CfnOutput, Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import type { Config } from './config.ts';
import { globalName } from './global-name.ts';

/** Properties that CloudFront takes from connection groups and tenants, and rejects on a template distribution. */
const ofTenants = ['IPV6Enabled', 'PriceClass', 'Aliases', 'ViewerCertificate'];

/**
 * The template distribution for custom hosts without a deployment, and the connection group to which their DNS records
 * point. Visitors never reach the template itself; `domain assign` creates a tenant for each host.
 */
export const addOwnHosts = (
  parent: Construct,
  config: Config,
  shared: Omit<cloudfront.DistributionProps, 'comment'>,
): cloudfront.Distribution => {
  const scope = new Construct(parent, 'OwnHosts');
  const distribution = new cloudfront.Distribution(scope, 'Distribution', {
    comment: `Short links on hosts of projects (${config.stage})`,
    ...shared,
  });
  const resource = distribution.node.defaultChild as cloudfront.CfnDistribution;
  resource.addPropertyOverride('DistributionConfig.ConnectionMode', 'tenant-only');
  for (const name of ofTenants) resource.addPropertyDeletionOverride(`DistributionConfig.${name}`);
  const stack = Stack.of(scope);
  const connections = new cloudfront.CfnConnectionGroup(scope, 'Connections', {
    name: globalName(scope, config, 'connectionGroup'),
    enabled: true,
    ipv6Enabled: true,
  });
  new CfnOutput(stack, 'OwnHostsDistributionId', { value: distribution.distributionId });
  new CfnOutput(stack, 'OwnHostsConnectionGroupId', { value: connections.attrId });
  new CfnOutput(stack, 'OwnHostsTarget', { value: connections.attrRoutingEndpoint });
  return distribution;
};

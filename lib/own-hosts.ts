import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import type { ShortLinkBehaviors } from './short-link-behaviors.ts';

interface OwnHostsProps {
  readonly behaviors: ShortLinkBehaviors;
  readonly stage: string;
  readonly webAclArn?: string | undefined;
}

/** What CloudFront sets by connection group and by tenant, and refuses on a distribution that is a template. */
const ofTenants = ['IPV6Enabled', 'PriceClass', 'Aliases', 'ViewerCertificate'];

/**
 * The distribution from which hosts of projects are made without a deployment: a template that visitors never reach
 * itself, and the connection group to which their DNS records point. `domain assign` makes a tenant for each host.
 */
export class OwnHosts extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, { behaviors, stage, webAclArn }: OwnHostsProps) {
    super(scope, id);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: `Short links on hosts of projects (${stage})`,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(webAclArn && { webAclId: webAclArn }),
      ...behaviors.ofDistribution,
    });
    const resource = this.distribution.node.defaultChild as cloudfront.CfnDistribution;
    resource.addPropertyOverride('DistributionConfig.ConnectionMode', 'tenant-only');
    for (const name of ofTenants) resource.addPropertyDeletionOverride(`DistributionConfig.${name}`);
    const connections = new cloudfront.CfnConnectionGroup(this, 'Connections', {
      name: `${Stack.of(this).stackName}-${Aws.REGION}`,
      enabled: true,
      ipv6Enabled: true,
    });
    const output = (name: string, value: string) => new CfnOutput(Stack.of(this), name, { value });
    output('OwnHostsDistributionId', this.distribution.distributionId);
    output('OwnHostsConnectionGroupId', connections.attrId);
    output('OwnHostsTarget', connections.attrRoutingEndpoint);
  }
}

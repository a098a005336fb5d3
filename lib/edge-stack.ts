import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { addFirewall, type Firewall } from './firewall.ts';

/**
 * Keeps a replaced resource. The other stack's distribution still uses it during this stack's clean-up, so its deletion
 * would fail. docs/upgrade.md explains how to delete it.
 */
const whileUsed = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** Resources that CloudFront accepts only from `us-east-1`; the service itself may run in any region. */
export class EdgeStack extends Stack {
  readonly certificate?: acm.ICertificate;
  readonly firewall?: Firewall;

  constructor(scope: Construct, id: string, { config, ...props }: StackProps & { readonly config: Config }) {
    super(scope, id, { description: "Dynamic links: what CloudFront's own region has to hold", ...props });
    const { short, shortAliases } = config;
    if (short?.hostedZoneId && !short.certificateArn) {
      const zone = route53.HostedZone.fromHostedZoneId(this, 'Zone', short.hostedZoneId);
      this.certificate = new acm.Certificate(this, 'Certificate', {
        domainName: short.name,
        ...(shortAliases && { subjectAlternativeNames: [...shortAliases] }),
        validation: acm.CertificateValidation.fromDns(zone),
      });
      this.certificate.applyRemovalPolicy(whileUsed);
    }
    if (config.edgeFirewall) {
      this.firewall = addFirewall(this, {
        scope: 'CLOUDFRONT',
        requestsPerAddress: config.visitsPerAddress,
        // Nothing evaluates queries: campaigns pass on addresses, click ids and texts in them.
        counted: [
          'GenericRFI_QUERYARGUMENTS',
          'GenericLFI_QUERYARGUMENTS',
          'CrossSiteScripting_QUERYARGUMENTS',
          'EC2MetaDataSSRF_QUERYARGUMENTS',
          'RestrictedExtensions_QUERYARGUMENTS',
          'SizeRestrictions_QUERYSTRING',
          // Visitors don't authenticate, and these parts don't reach functions.
          'NoUserAgent_HEADER',
          'CrossSiteScripting_COOKIE',
          'EC2MetaDataSSRF_COOKIE',
          'SizeRestrictions_Cookie_HEADER',
        ],
        refusal: { contentType: 'TEXT_PLAIN', content: 'Too many requests' },
      });
      this.firewall.acl.applyRemovalPolicy(whileUsed);
    }
  }
}

import { CfnOutput, Stack } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { type Domain, isInZoneOf } from './domains.ts';
import type { EdgeStack } from './edge-stack.ts';
import { ServiceFunction } from './function.ts';
import { rowOf } from './functions.ts';
import { randomSecret } from './kept.ts';
import { OwnHosts } from './own-hosts.ts';
import type { Service } from './service.ts';
import { ShortLinkBehaviors } from './short-link-behaviors.ts';

/**
 * The short URLs: CloudFront in front of the redirect. `edge` has the web ACL, and the certificate unless one was given.
 */
export class ShortLinks extends Construct {
  readonly distribution: cloudfront.Distribution;
  /** Hosts of projects, where they are made without a deployment. */
  readonly ownHosts?: OwnHosts;
  /** The base address of short URLs, such as `https://go.example.com`. */
  readonly baseUrl: string;
  readonly redirect: ServiceFunction;
  readonly qr: ServiceFunction;
  readonly wellKnown: ServiceFunction;
  readonly appLink: ServiceFunction;

  constructor(scope: Construct, id: string, service: Service, edge?: EdgeStack) {
    super(scope, id);
    const { config } = service;
    const secret = 'Keys the hashes by which returning visitors are recognised';
    const visitors = randomSecret(this, 'VisitorSecret', config, secret);
    const known = { ...service, visitorSecret: visitors.secretValue.unsafeUnwrap() };
    this.redirect = new ServiceFunction(this, rowOf('redirect'), known);
    this.qr = new ServiceFunction(this, rowOf('qr'), known);
    this.wellKnown = new ServiceFunction(this, rowOf('well-known'), known);
    this.appLink = new ServiceFunction(this, rowOf('app-link'), known);
    const behaviors = new ShortLinkBehaviors(this, 'Behaviors', this, config.abuseContact);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: `Short links (${config.stage})`,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(config.short && this.ownDomain(config.short, config.shortAliases, edge)),
      ...(edge?.firewall && { webAclId: edge.firewall.arn }),
      ...behaviors.ofDistribution,
    });
    this.baseUrl = `https://${config.short?.name ?? this.distribution.domainName}`;
    if (config.short) this.addRecords(config.short, config.shortAliases);
    if (config.ownHosts === 'tenants') {
      const { stage } = config;
      this.ownHosts = new OwnHosts(this, 'OwnHosts', { behaviors, stage, webAclArn: edge?.firewall?.arn });
    }
  }

  private ownDomain({ name, certificateArn }: Domain, aliases: readonly string[] = [], edge?: EdgeStack) {
    const given = certificateArn && acm.Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    const certificate = given || edge?.certificate;
    if (!certificate) throw new Error(`${name} has neither a certificate nor a stack that makes one`);
    return {
      domainNames: [name, ...aliases],
      certificate,
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  private addRecords(short: Domain, aliases: readonly string[] = []): void {
    const { name, hostedZoneId } = short;
    const stack = Stack.of(this);
    new CfnOutput(stack, 'ShortDomainTarget', { value: this.distribution.domainName });
    new CfnOutput(stack, 'ShortHosts', { value: [name, ...aliases].join(',') });
    if (!hostedZoneId) return;
    const zone = route53.HostedZone.fromHostedZoneId(this, 'Zone', hostedZoneId);
    const target = route53.RecordTarget.fromAlias(new targets.CloudFrontTarget(this.distribution));
    for (const host of [name, ...aliases.filter((one) => isInZoneOf(short, one))]) {
      // The first keeps its id from when it was the only one.
      const suffix = host === name ? '' : `-${host}`;
      new route53.ARecord(this, `Record${suffix}`, { zone, recordName: `${host}.`, target });
      new route53.AaaaRecord(this, `RecordV6${suffix}`, { zone, recordName: `${host}.`, target });
    }
  }
}

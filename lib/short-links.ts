import { CfnOutput, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { functions } from '../core/functions.ts';
import type { Config } from './config.ts';
import { type Domain, isInZoneOf } from './domains.ts';
import type { EdgeStack } from './edge-stack.ts';
import { ServiceFunction } from './function.ts';
import { OwnHosts } from './own-hosts.ts';
import { ShortLinkBehaviors } from './short-link-behaviors.ts';
import type { ServiceTable } from './table.ts';

export interface ShortLinksProps {
  readonly table: ServiceTable;
  readonly config: Config;
  /** Where the web ACL is, and the certificate unless one was given. */
  readonly edge?: EdgeStack;
}

/** The short URLs: CloudFront in front of the redirect. */
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

  constructor(scope: Construct, id: string, { table, config, edge }: ShortLinksProps) {
    super(scope, id);
    const secret = this.visitorSecret(config);
    this.redirect = this.redirectFunction(table, config, secret);
    this.qr = this.qrFunction(table, config);
    this.wellKnown = this.wellKnownFunction(table, config);
    this.appLink = this.appLinkFunction(table, config, secret);
    const behaviors = new ShortLinkBehaviors(this, 'Behaviors', {
      redirect: this.redirect.live,
      qr: this.qr.live,
      wellKnown: this.wellKnown.live,
      appLink: this.appLink.live,
      abuseContact: config.abuseContact,
    });
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: `Short links (${config.stage})`,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(config.short && this.ownDomain(config.short, config.shortAliases, edge)),
      ...(edge?.firewall && { webAclId: edge.firewall.arn }),
      defaultBehavior: behaviors.defaultBehavior,
      additionalBehaviors: behaviors.additionalBehaviors,
      errorResponses: behaviors.errorResponses,
    });
    this.baseUrl = `https://${config.short?.name ?? this.distribution.domainName}`;
    if (config.short) this.addRecords(config.short, config.shortAliases);
    if (config.ownHosts) {
      const { stage } = config;
      this.ownHosts = new OwnHosts(this, 'OwnHosts', { behaviors, stage, webAclArn: edge?.firewall?.arn });
    }
    this.acknowledge(config);
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

  private visitorSecret(config: Config): string {
    const secret = new secretsmanager.Secret(this, 'VisitorSecret', {
      description: 'Keys the hashes by which returning visitors are recognised',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy:
        config.stage === 'prod' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'With another secret every returning visitor would count as a new one',
    });
    // Resolved at deployment; the template contains only a reference.
    return secret.secretValue.unsafeUnwrap();
  }

  private redirectFunction(table: ServiceTable, config: Config, visitorSecret: string): ServiceFunction {
    const redirect = new ServiceFunction(this, 'Redirect', {
      entry: 'redirect',
      description: functions.redirect.description,
      config,
      released: config.stage === 'prod',
      environment: {
        TABLE_NAME: table.table.tableName,
        UNIQUE_WINDOW_DAYS: String(config.uniqueWindowDays),
        VISITOR_SECRET: visitorSecret,
        ...(config.short && { SHORT_DOMAIN: config.short.name }),
        ...(config.abuseContact && { ABUSE_CONTACT: config.abuseContact }),
      },
      // Two table calls take most of its time; more memory would make the rest faster and all of it dearer.
      memorySize: 512,
      // A visitor waits for its start.
      mapped: false,
      reservedConcurrency: config.reservedConcurrency,
    });
    table.grant(redirect.function, functions.redirect.uses);
    return redirect;
  }

  private qrFunction(table: ServiceTable, config: Config): ServiceFunction {
    const qr = new ServiceFunction(this, 'Qr', {
      entry: 'qr',
      description: functions.qr.description,
      config,
      environment: {
        TABLE_NAME: table.table.tableName,
        ...(config.short && { SHORT_DOMAIN: config.short.name }),
        ...(config.abuseContact && { ABUSE_CONTACT: config.abuseContact }),
      },
      memorySize: 1024,
    });
    table.grant(qr.function, functions.qr.uses);
    return qr;
  }

  private wellKnownFunction(table: ServiceTable, config: Config): ServiceFunction {
    const wellKnown = new ServiceFunction(this, 'WellKnown', {
      entry: 'well-known',
      description: functions['well-known'].description,
      config,
      environment: {
        TABLE_NAME: table.table.tableName,
        ...(config.short && { SHORT_DOMAIN: config.short.name }),
        ...(config.abuseContact && { ABUSE_CONTACT: config.abuseContact }),
      },
    });
    table.grant(wellKnown.function, functions['well-known'].uses);
    return wellKnown;
  }

  private appLinkFunction(table: ServiceTable, config: Config, visitorSecret: string): ServiceFunction {
    const appLink = new ServiceFunction(this, 'AppLink', {
      entry: 'app-link',
      description: functions['app-link'].description,
      config,
      environment: {
        TABLE_NAME: table.table.tableName,
        VISITOR_SECRET: visitorSecret,
        ...(config.short && { SHORT_DOMAIN: config.short.name }),
      },
      memorySize: 1024,
    });
    table.grant(appLink.function, functions['app-link'].uses);
    return appLink;
  }

  private acknowledge({ short, waf }: Config): void {
    const distributions = [this.distribution, ...(this.ownHosts ? [this.ownHosts.distribution] : [])];
    const acknowledge = (rule: string, reason: string) => {
      for (const one of distributions)
        Validations.of(one).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason });
    };
    acknowledge('CFR1', 'Short URLs are for visitors of every country');
    acknowledge(
      'CFR3',
      "Access logs would keep visitors' addresses, which this service promises not to store",
    );
    if (!waf) acknowledge('CFR2', 'Off in this stage; the context key waf turns it on');
    if (this.ownHosts) {
      Validations.of(this.ownHosts.distribution).acknowledge({
        id: 'AwsSolutions::AwsSolutions-CFR4',
        reason: 'A template has no viewers; its tenants bring their certificates',
      });
    }
    if (!short)
      acknowledge('CFR4', "CloudFront's own certificate fixes the protocol; an own domain raises it");
  }
}

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
import { addOwnHosts } from './own-hosts.ts';
import { randomSecret } from './retained.ts';
import type { FunctionSettings } from './service.ts';
import { addBehaviors } from './short-link-behaviors.ts';
import type { StandbyStack } from './standby-stack.ts';

export type ShortLinks = ReturnType<typeof addShortLinks>;

/**
 * The short URLs' functions behind CloudFront. `edge` has the web ACL, and the certificate unless one was given;
 * `standby` serves visitors while this stack can't.
 */
export const addShortLinks = (
  stack: Stack,
  service: FunctionSettings,
  edge?: EdgeStack,
  standby?: StandbyStack,
) => {
  const scope = new Construct(stack, 'ShortLinks');
  const { config } = service;
  const { short, shortAliases = [] } = config;
  const secret = 'Keys the hashes by which returning visitors are recognised';
  const visitors = randomSecret(scope, 'VisitorSecret', config, secret);
  if (config.standby) visitors.addReplicaRegion(config.standby);
  const known = { ...service, visitorSecret: visitors.secretValue.unsafeUnwrap() };
  const functions = {
    redirect: new ServiceFunction(scope, rowOf('redirect'), known),
    qr: new ServiceFunction(scope, rowOf('qr'), known),
    wellKnown: new ServiceFunction(scope, rowOf('well-known'), known),
    appLink: new ServiceFunction(scope, rowOf('app-link'), known),
  };
  const webAcl = config.webAclArn ?? edge?.firewall?.arn;
  const shared = {
    httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
    ...(webAcl && { webAclId: webAcl }),
    ...addBehaviors(scope, functions, config, standby),
  };
  const distribution = new cloudfront.Distribution(scope, 'Distribution', {
    comment: `Short links (${config.stage})`,
    ...(short && {
      domainNames: [short.name, ...shortAliases],
      certificate: certificateOf(scope, short, edge),
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
    ...shared,
  });
  if (short) addRecords(scope, distribution, [short, ...shortAliases]);
  return {
    ...functions,
    visitorSecret: visitors,
    distribution,
    /** The distribution for custom hosts, if these are tenants. */
    ownHosts: config.ownHosts === 'tenants' ? addOwnHosts(scope, config, shared) : undefined,
    /** The base address of short URLs, such as `https://go.example.com`. */
    baseUrl: `https://${short?.name ?? distribution.domainName}`,
  };
};

const certificateOf = (scope: Construct, { certificateArn }: Domain, edge?: EdgeStack) => {
  const given = certificateArn && acm.Certificate.fromCertificateArn(scope, 'Certificate', certificateArn);
  return given || edge?.certificate;
};

const addRecords = (
  scope: Construct,
  distribution: cloudfront.Distribution,
  [short, ...aliases]: readonly [Domain, ...string[]],
): void => {
  const { name, hostedZoneId } = short;
  const stack = Stack.of(scope);
  new CfnOutput(stack, 'ShortDomainTarget', { value: distribution.domainName });
  new CfnOutput(stack, 'ShortHosts', { value: [name, ...aliases].join(',') });
  if (!hostedZoneId) return;
  const zone = route53.HostedZone.fromHostedZoneId(scope, 'Zone', hostedZoneId);
  const target = route53.RecordTarget.fromAlias(new targets.CloudFrontTarget(distribution));
  for (const host of [name, ...aliases.filter((one) => isInZoneOf(short, one))]) {
    // The first record keeps its id from when there was only one.
    const suffix = host === name ? '' : `-${host}`;
    new route53.ARecord(scope, `Record${suffix}`, { zone, recordName: `${host}.`, target });
    new route53.AaaaRecord(scope, `RecordV6${suffix}`, { zone, recordName: `${host}.`, target });
  }
};

import { CfnOutput, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as targets from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { Domain } from './domains.ts';

/** Gives the API a custom domain, with certificate and records if the hosted zone is known. */
export const addApiDomain = (
  scope: Construct,
  rest: apigateway.RestApi,
  { name, certificateArn, hostedZoneId }: Domain,
): void => {
  const zone = hostedZoneId && route53.HostedZone.fromHostedZoneId(scope, 'Zone', hostedZoneId);
  const certificate = certificateArn
    ? acm.Certificate.fromCertificateArn(scope, 'Certificate', certificateArn)
    : new acm.Certificate(scope, 'Certificate', {
        domainName: name,
        validation: acm.CertificateValidation.fromDns(zone || undefined),
      });
  const domain = rest.addDomainName('Domain', {
    domainName: name,
    certificate,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
  });
  new CfnOutput(Stack.of(scope), 'ApiDomainTarget', { value: domain.domainNameAliasDomainName });
  if (zone) {
    new route53.ARecord(scope, 'Record', {
      zone,
      recordName: `${name}.`,
      target: route53.RecordTarget.fromAlias(new targets.ApiGatewayDomain(domain)),
    });
  }
};

import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';
import { Firewall, firewallWindowSeconds } from './firewall.ts';

/** The firewall before the API: limits by address and by key, and AWS's core rules. */
export const addApiFirewall = (scope: Construct, stage: apigateway.Stage, config: Config): Firewall => {
  const message = 'Too many requests; slow down';
  const limit = requestsPerWindow(config);
  const firewall = new Firewall(scope, 'Firewall', {
    scope: 'REGIONAL',
    requestsPerAddress: limit,
    keyed: { header: 'X-API-KEY', requests: limit },
    // By contract, bodies contain addresses, texts and up to 64 KB; the functions validate them.
    counted: [
      'SizeRestrictions_BODY',
      'GenericRFI_BODY',
      'EC2MetaDataSSRF_BODY',
      'CrossSiteScripting_BODY',
      'GenericLFI_BODY',
      'NoUserAgent_HEADER',
    ],
    refusal: {
      contentType: 'APPLICATION_JSON',
      content: JSON.stringify({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message } }),
    },
  });
  new wafv2.CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: stage.stageArn,
    webAclArn: firewall.arn,
  });
  return firewall;
};

/**
 * In five minutes what a key may do in an hour, so that no call is refused that the service would admit; but never
 * more than a quarter of what the stage takes, which is there for all.
 */
const requestsPerWindow = ({ rateLimitPerHour, callsPerSecond }: Config): number =>
  Math.max(10, Math.min(Math.max(rateLimitPerHour, 10_000), (callsPerSecond * firewallWindowSeconds) / 4));

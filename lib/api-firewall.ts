import type * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { corsHeaders } from '../core/api/cors.ts';
import { apiVersion } from '../core/api/index.ts';
import { failureMessages } from '../core/base/messages.ts';
import type { Config } from './config.ts';
import { addFirewall, blockedUnless, firewallWindowSeconds, pathBelow, rateRule } from './firewall.ts';

/** The API's firewall: limits by address and by key, and AWS's core rules. */
export const addApiFirewall = (scope: Construct, stage: apigateway.Stage, config: Config) => {
  const [code, message] = failureMessages.firewall;
  const limit = requestsPerWindow(config);
  const firewall = addFirewall(scope, {
    scope: 'REGIONAL',
    requestsPerAddress: limit,
    // By contract, bodies contain addresses, texts and up to 64 KB; the functions validate them.
    counted: [
      'SizeRestrictions_BODY',
      'GenericRFI_BODY',
      'EC2MetaDataSSRF_BODY',
      'CrossSiteScripting_BODY',
      'GenericLFI_BODY',
      'NoUserAgent_HEADER',
      ...(config.signIn ? Object.keys(likeCallbacks) : []),
    ],
    further: [
      rateRule(1, 'RateByKey', byKey(limit), { headers: corsHeaders }),
      rateRule(7, 'RateOfShareLinks', byAddress(sharesPerAddress, shareLinks), { headers: corsHeaders }),
      ...(config.signIn ? rulesOfConsole : []),
    ],
    headers: corsHeaders,
    refusal: {
      contentType: 'APPLICATION_JSON',
      content: JSON.stringify({ success: false, error: { code, message } }),
    },
  });
  protect(scope, stage, firewall.arn);
  return firewall;
};

/** Calls for share links from one address in five minutes: anybody may make them. */
const sharesPerAddress = 100;
const shareLinks = pathBelow(`${apiVersion.replace('.', '\\.')}/+share-links`);

/** Puts a web ACL in front of the API. */
export const protect = (scope: Construct, stage: apigateway.Stage, webAclArn: string): void => {
  new wafv2.CfnWebACLAssociation(scope, 'FirewallAssociation', { resourceArn: stage.stageArn, webAclArn });
};

const byKey = (limit: number) => ({
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [{ header: { name: 'X-API-KEY', textTransformations: [{ priority: 0, type: 'NONE' }] } }],
  limit,
});

const byAddress = (limit: number, scopeDownStatement: ReturnType<typeof pathBelow>) => ({
  aggregateKeyType: 'IP',
  limit,
  scopeDownStatement,
});

const ofConsole = pathBelow('console');
const perMinute = { seconds: 60, headers: corsHeaders };

/**
 * Rules that match requests to the console, with their labels: issuers return long queries with their own addresses,
 * and other programs on the host set cookies.
 */
const likeCallbacks = {
  GenericRFI_QUERYARGUMENTS: 'GenericRFI_QueryArguments',
  SizeRestrictions_QUERYSTRING: 'SizeRestrictions_QueryString',
  SizeRestrictions_Cookie_HEADER: 'SizeRestrictions_Cookie_Header',
};

/** The console's rules: from an address five requests a second, and twenty sign-ins a minute, in both steps. */
const rulesOfConsole = [
  rateRule(3, 'RateOfConsole', byAddress(5 * perMinute.seconds, ofConsole), perMinute),
  ...['callback', 'sign-in'].map((name, i) =>
    rateRule(5 + i, `RateOf-${name}`, byAddress(20, pathBelow(`console/+${name}`)), perMinute),
  ),
  blockedUnless(4, 'Elsewhere', ofConsole, Object.values(likeCallbacks)),
];

/**
 * The firewall's limit in five minutes: a key's requests of an hour, so that it blocks no call that the service would
 * admit, but at most a quarter of the stage's capacity, which everybody shares.
 */
const requestsPerWindow = ({ rateLimitPerHour, callsPerSecond }: Config): number =>
  Math.max(10, Math.min(Math.max(rateLimitPerHour, 10_000), (callsPerSecond * firewallWindowSeconds) / 4));

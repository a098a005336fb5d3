import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export interface FirewallProps {
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
  /** Requests of one address in five minutes; more are answered 429. */
  readonly requestsPerAddress: number;
  /** Rules of AWS's core set that only count here, because what they look for is what this service is for. */
  readonly counted: readonly string[];
  /** What a client is told that is refused for its rate. */
  readonly refusal: { readonly contentType: 'APPLICATION_JSON' | 'TEXT_PLAIN'; readonly content: string };
}

/** A web ACL: a rate rule by address, then AWS's managed core rule set. */
export class Firewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: FirewallProps) {
    super(scope, id);
    const acl = new wafv2.CfnWebACL(this, 'WebAcl', {
      scope: props.scope,
      defaultAction: { allow: {} },
      visibilityConfig: visibility('All'),
      customResponseBodies: { TooMany: props.refusal },
      rules: [
        {
          name: 'Rate',
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              evaluationWindowSec: 300,
              limit: props.requestsPerAddress,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'TooMany',
                responseHeaders: [{ name: 'Retry-After', value: '300' }],
              },
            },
          },
          visibilityConfig: visibility('Rate'),
        },
        {
          name: 'Core',
          priority: 1,
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              ruleActionOverrides: props.counted.map((name) => ({ name, actionToUse: { count: {} } })),
            },
          },
          overrideAction: { none: {} },
          visibilityConfig: visibility('Core'),
        },
      ],
    });
    this.arn = acl.attrArn;
  }
}

const visibility = (metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
});

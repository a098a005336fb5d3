import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { strictHeaders } from '../core/api/strict-headers.ts';

export interface FirewallProps {
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
  /** Requests of one address in five minutes; more are answered 429. */
  readonly requestsPerAddress: number;
  /** Rules of AWS's core set that only count here, because the service exists to take what they look for. */
  readonly counted: readonly string[];
  /** Rules beside these. */
  readonly further?: readonly wafv2.CfnWebACL.RuleProperty[];
  /** The response to a client that is refused for its rate. */
  readonly refusal: { readonly contentType: 'APPLICATION_JSON' | 'TEXT_PLAIN'; readonly content: string };
}

/** The window in which requests are counted. */
export const firewallWindowSeconds = 300;

/** A web ACL with a rate rule by address and AWS's managed core rule set, and what its rules have blocked. */
export const addFirewall = (parent: Construct, props: FirewallProps) => {
  const scope = new Construct(parent, 'Firewall');
  // Firewalls' metrics differ only by this name, and a region may have those of several stages.
  const { stackName, region } = Stack.of(scope);
  const acl = new wafv2.CfnWebACL(scope, 'WebAcl', {
    scope: props.scope,
    defaultAction: { allow: {} },
    visibilityConfig: visibility(stackName),
    customResponseBodies: { TooMany: props.refusal },
    rules: [
      rateRule(0, 'Rate', { aggregateKeyType: 'IP', limit: props.requestsPerAddress }),
      {
        name: 'Core',
        priority: 2,
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
      ...(props.further ?? []),
    ].sort((one, other) => one.priority - other.priority),
  });
  const blocked = new cloudwatch.Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    // CloudFront's firewalls have no region in their metrics.
    dimensionsMap: {
      WebACL: stackName,
      Rule: 'ALL',
      ...(props.scope === 'REGIONAL' && { Region: region }),
    },
    statistic: 'Sum',
    period: Duration.minutes(1),
    label: 'Blocked by the firewall',
  });
  return { acl, arn: acl.attrArn, blocked };
};

export type Firewall = ReturnType<typeof addFirewall>;

type RateStatement = Omit<wafv2.CfnWebACL.RateBasedStatementProperty, 'evaluationWindowSec'>;

/** Of a REST request, whose path may begin with its stage, and which API Gateway finds behind several slashes, too. */
export const pathBelow = (start: string): wafv2.CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    regexString: `^(/+[\\w-]+)?/+${start}(/|$)`,
    fieldToMatch: { uriPath: {} },
    textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type })),
  },
});

export const rateRule = (
  priority: number,
  name: string,
  statement: RateStatement,
  evaluationWindowSec = firewallWindowSeconds,
): wafv2.CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: { rateBasedStatement: { ...statement, evaluationWindowSec } },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: 'TooMany',
        responseHeaders: Object.entries({
          ...strictHeaders,
          'Retry-After': String(evaluationWindowSec),
        }).map(([header, value]) => ({ name: header, value })),
      },
    },
  },
  visibilityConfig: visibility(name),
});

/** What core rules found that only count, but where a request may be so. */
export const blockedUnless = (
  priority: number,
  name: string,
  allowed: wafv2.CfnWebACL.StatementProperty,
  labels: readonly string[],
): wafv2.CfnWebACL.RuleProperty => {
  const found = labels.map((label) => ({
    labelMatchStatement: { scope: 'LABEL', key: `awswaf:managed:aws:core-rule-set:${label}` },
  }));
  return {
    name,
    priority,
    statement: {
      andStatement: {
        statements: [{ orStatement: { statements: found } }, { notStatement: { statement: allowed } }],
      },
    },
    action: { block: {} },
    visibilityConfig: visibility(name),
  };
};

/** Samples would keep whole requests for three hours: keys, addresses and user agents. */
const visibility = (metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

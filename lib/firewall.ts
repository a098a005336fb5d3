import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { strictHeaders } from '../core/api/strict-headers.ts';

interface FirewallProps {
  readonly scope: 'CLOUDFRONT' | 'REGIONAL';
  /** Requests from one address in five minutes; more get 429. */
  readonly requestsPerAddress: number;
  /** Rules of AWS's core set that only count, because the service has to accept what they look for. */
  readonly counted: readonly string[];
  readonly further?: readonly wafv2.CfnWebACL.RuleProperty[];
  /** Further headers of the response to a client over the limit. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The response to a client over the limit. */
  readonly refusal: { readonly contentType: 'APPLICATION_JSON' | 'TEXT_PLAIN'; readonly content: string };
}

/** The window in which requests are counted, in seconds. */
export const firewallWindowSeconds = 300;

/** A web ACL with a rate rule by address and AWS's managed core rule set, and a metric of blocked requests. */
export const addFirewall = (parent: Construct, props: FirewallProps) => {
  const scope = new Construct(parent, 'Firewall');
  // Metrics of firewalls differ only by this name, and a region may have several stages.
  const { stackName, region } = Stack.of(scope);
  const acl = new wafv2.CfnWebACL(scope, 'WebAcl', {
    scope: props.scope,
    defaultAction: { allow: {} },
    visibilityConfig: visibility(stackName),
    customResponseBodies: { TooMany: props.refusal },
    rules: [
      rateRule(
        0,
        'Rate',
        { aggregateKeyType: 'IP', limit: props.requestsPerAddress },
        { headers: props.headers ?? {} },
      ),
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
    // Metrics of CloudFront's firewalls have no region.
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

/** Matches paths below `start` in a REST API. Paths may begin with the stage, and API Gateway accepts repeated slashes. */
export const pathBelow = (start: string): wafv2.CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    regexString: `^(/+[\\w-]+)?/+${start}(/|$)`,
    fieldToMatch: { uriPath: {} },
    textTransformations: ['URL_DECODE', 'NORMALIZE_PATH'].map((type, priority) => ({ priority, type })),
  },
});

interface RateOptions {
  /** The window in which requests are counted. @default five minutes */
  readonly seconds?: number;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const rateRule = (
  priority: number,
  name: string,
  statement: RateStatement,
  { seconds: evaluationWindowSec = firewallWindowSeconds, headers = {} }: RateOptions = {},
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
          ...headers,
          'Retry-After': String(evaluationWindowSec),
        }).map(([header, value]) => ({ name: header, value })),
      },
    },
  },
  visibilityConfig: visibility(name),
});

/** Blocks requests with labels of counting core rules, unless the `allowed` statement matches. */
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

/** Sampling is off, because it would store whole requests for three hours, with keys, addresses and user agents. */
const visibility = (metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

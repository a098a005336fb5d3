import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

/**
 * Maximum lengths of names in templates, by resource type and property. CloudFormation generates all other names and
 * cuts them.
 */
export const nameLimits: Readonly<Record<string, number>> = {
  // AWS states no limit for these three; the limits of an HTTP API's name and of an access control apply.
  'AWS::ApiGateway::Authorizer Name': 128,
  'AWS::ApiGateway::RestApi Name': 255,
  'AWS::CloudFront::ConnectionGroup Name': 64,
  'AWS::ApiGateway::Stage StageName': 128,
  'AWS::CloudFront::CachePolicy CachePolicyConfig.Name': 128,
  'AWS::CloudFront::Distribution DistributionConfig.Comment': 128,
  'AWS::CloudFront::Distribution DistributionConfig.Origins.Id': 128,
  'AWS::CloudFront::Function Name': 64,
  'AWS::CloudFront::OriginAccessControl OriginAccessControlConfig.Name': 64,
  'AWS::CloudFront::OriginRequestPolicy OriginRequestPolicyConfig.Name': 128,
  'AWS::CloudFront::ResponseHeadersPolicy ResponseHeadersPolicyConfig.Name': 128,
  'AWS::Glue::Database DatabaseInput.Name': 255,
  'AWS::IAM::Policy PolicyName': 128,
  'AWS::Lambda::Alias Name': 128,
  'AWS::Logs::MetricFilter MetricTransformations.MetricName': 255,
  'AWS::SNS::Topic DisplayName': 100,
  'AWS::WAFv2::WebACL Rules.Name': 128,
  'AWS::WAFv2::WebACL Rules.VisibilityConfig.MetricName': 128,
  'AWS::WAFv2::WebACL VisibilityConfig.MetricName': 128,
};
const longestLogicalId = 255;
const longestStackName = 128;
const longestTag = 256;

/** Properties that may contain a stack's name without naming a resource: references, dimensions and bodies. */
const isNoName =
  /Dimensions|Fn::GetStackOutput|Ref$|DashboardBody|Variables|TargetOriginId|DatabaseName|PolicyDocument|MetricStat/;

interface Named {
  /** Resource type and property, as in the table. */
  readonly place: string;
  readonly value: string;
}

/** The names in a stack's template, with this region for its own. */
const namesIn = (stack: CloudFormationStackArtifact, region: string): Named[] => {
  const found: Named[] = [];
  const look = (type: string, path: string, value: unknown): void => {
    const text = textOf(value, region);
    if (text !== undefined) found.push({ place: `${type} ${path}`, value: text });
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        look(type, Array.isArray(value) ? path : [path, name].filter(Boolean).join('.'), inner);
  };
  for (const { Type, Properties } of Object.values<{ Type: string; Properties: object }>(
    stack.template.Resources,
  ))
    look(Type, '', Properties);
  return found;
};

const textOf = (value: unknown, region: string): string | undefined => {
  if (typeof value === 'string') return value;
  const parts = (value as { 'Fn::Join'?: [string, unknown[]] } | null)?.['Fn::Join']?.[1];
  const texts = parts?.map((part) => (typeof part === 'string' ? part : isRegion(part) ? region : undefined));
  return texts?.every((text) => text !== undefined) ? texts.join('') : undefined;
};

const isRegion = (part: unknown): boolean => (part as { Ref?: string }).Ref === 'AWS::Region';

/** Names longer than AWS's limits, and names with the stack's name that the table lacks. */
export const tooLongIn = (
  stacks: readonly CloudFormationStackArtifact[],
  { region, stage }: { readonly region: string; readonly stage: string },
): string[] =>
  stacks.flatMap((stack) => {
    const names = namesIn(stack, region);
    const ids = Object.keys(stack.template.Resources).filter(({ length }) => length > longestLogicalId);
    const long = names.filter(({ place, value }) => value.length > (nameLimits[place] ?? Infinity));
    const unlimited = names.filter(
      ({ place, value }) =>
        value.includes(stage) &&
        nameLimits[place] === undefined &&
        !isNoName.test(place) &&
        !(place.endsWith('Tags.Value') && value.length <= longestTag),
    );
    return [
      ...ids,
      ...(stack.stackName.length > longestStackName ? [stack.stackName] : []),
      ...long.map(({ place, value }) => `${place}: ${value}`),
      ...unlimited.map(({ place, value }) => `no limit is known of ${place}: ${value}`),
    ];
  });

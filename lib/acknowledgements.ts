import { type CfnElement, CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { Config } from './config.ts';

/** Acknowledged rules with reasons, by a pattern of paths in the stack. */
type Findings = Readonly<Record<string, Readonly<Record<string, string>>>>;

const managed = '[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/';
const comesAgain = 'A message only names a webhook; it is redelivered until that succeeds';
const waits = 'Its messages are never at fault and wait for two weeks, so none is given up';
const page = 'It is one public page, which the edge caches';

const always: Findings = {
  '(.*/)?Function': {
    'Serverless-LambdaDLQ': 'Nothing invokes it asynchronously, which is what a dead letter queue is for',
  },
  '(.*/)?Topic': {
    'Serverless-SNSRedrivePolicy': 'An undeliverable mail need not be kept: the alarm itself stays red',
  },
  Api: {
    'AwsSolutions-APIG2':
      'Each function validates by its contract, so that refusals have the shape of the API',
    'AwsSolutions-APIG6':
      "Execution logs would hold clients' headers; the access log names project and key id",
    'AwsSolutions-COG4': 'Clients are machines with API keys, which the authorizer looks up',
    [`AwsSolutions-IAM4${managed}AmazonAPIGatewayPushToCloudWatchLogs]`]:
      'The policy that AWS names for this account setting',
  },
  'Api/(.*/)?Role': { 'AwsSolutions-IAM5[Resource::*]': 'X-Ray takes traces without a resource to name' },
  'Api/Rest/(.*/)?(openapi\\.json|docs|docs/\\{file\\})/GET': {
    'AwsSolutions-APIG4': "The API's description is public",
  },
  'Api/Rest/(.*/)?console/(callback|sign-in)/GET': {
    'AwsSolutions-APIG4': 'Members sign in here, before they have a key',
  },
  'Api/Rest/(.*/)?ANY': { 'AwsSolutions-APIG4': 'It only returns the methods of a path' },
  'Api/SignIn/(.*/)?Function': { 'Serverless-LambdaTracing': "A trace would describe members' browsers" },
  '((ClickQueue|Clicks|Copying|Webhooks)/[^/]+|ForwardClicks)/Function': {
    'Serverless-LambdaTracing': 'It runs behind a queue or the stream, where no trace begins',
  },
  '((ClickQueue|Copying|Webhooks)/[^/]+|ForwardClicks)/Function': {
    'Serverless-LambdaEventSourceMappingDestination': 'What fails goes back to its queue',
  },
  'ClickQueue/DeadLetters': { 'Serverless-SQSRedrivePolicy': 'It is the dead letter queue' },
  'Clicks/[^/]+/Role': {
    'AwsSolutions-IAM5[Resource::*]':
      'Listing streams takes no resource; reading is only granted on this stream',
    'AwsSolutions-IAM5[Resource::<Clicks/Failures>/*]': 'Lambda itself names the objects that it writes',
  },
  'Clicks/Failures': { 'AwsSolutions-S1': 'Only Lambda writes to it, and only operators read it' },
  'Clicks/Export/Files': {
    'AwsSolutions-S1': 'Only Firehose writes to it, and operators choose its readers',
  },
  'Clicks/Export/Role': {
    'AwsSolutions-IAM5[Resource::<Clicks/Export/Files>/*]': 'Firehose itself names the files that it writes',
  },
  'Copying/Beat': { 'Serverless-EventBusDLQ': 'A lost beat is followed by another within a minute' },
  '(Copying/CopyKeys|StandbyClicks)': {
    'AwsSolutions-SQS3': waits,
    'Serverless-SQSRedrivePolicy': waits,
  },
  Releases: {
    [`AwsSolutions-IAM4${managed}AWSCodeDeployRoleForLambdaLimited]`]:
      'The policy that AWS keeps for shifting traffic between versions, and no other',
  },
  '(ShortLinks/[^/]+|StandbyRedirect|StandbyWellKnown)/Function': {
    'Serverless-LambdaTracing': 'It runs too often for traces to be worth their price',
  },
  'ShortLinks/Behaviors/Retry': {
    ...Object.fromEntries(['1', '2', '3', '4', '6'].map((rule) => [`AwsSolutions-APIG${rule}`, page])),
    'AwsSolutions-COG4': page,
    'Serverless-APIGWAccessLogging': page,
    'Serverless-APIGWXrayEnabled': page,
  },
  'ShortLinks/(.*/)?Distribution': {
    'AwsSolutions-CFR1': 'Short URLs are for visitors of every country',
    'AwsSolutions-CFR3':
      "Access logs would keep visitors' addresses, which this service promises not to store",
  },
  'ShortLinks/OwnHosts/Distribution': {
    'AwsSolutions-CFR4': 'A template has no viewers; its tenants bring their certificates',
  },
  'Webhooks/Queue': { 'AwsSolutions-SQS3': comesAgain, 'Serverless-SQSRedrivePolicy': comesAgain },
  'Webhooks/Secret': {
    'AwsSolutions-SMG4': 'With another secret no receiver could verify anything; webhook rotate replaces one',
  },
  'ShortLinks/VisitorSecret': {
    'AwsSolutions-SMG4': 'With another secret every returning visitor would count as a new one',
  },
};

const isOff = 'Off in this stage; the context key waf turns it on';
const withoutApiFirewall: Findings = { Api: { 'AwsSolutions-APIG3': isOff } };
const withoutEdgeFirewall: Findings = { 'ShortLinks/(.*/)?Distribution': { 'AwsSolutions-CFR2': isOff } };

const withoutDomain: Findings = {
  'ShortLinks/Distribution': {
    'AwsSolutions-CFR4': "CloudFront's own certificate fixes the protocol; an own domain raises it",
  },
};

/** The types of resources that rules are about, by the rules' ids. */
const subjects: Readonly<Record<string, RegExp>> = {
  'AwsSolutions-(APIG4|COG4)': /ApiGateway::Method$/,
  'AwsSolutions-APIG2': /ApiGateway::RestApi$/,
  '(AwsSolutions|Serverless)-APIG(1|3|6|W)': /ApiGateway::Stage$/,
  'AwsSolutions-CFR': /CloudFront::Distribution$/,
  'AwsSolutions-IAM': /IAM::(Policy|Role)$/,
  'AwsSolutions-S1': /S3::Bucket$/,
  'AwsSolutions-SMG': /SecretsManager::Secret$/,
  '(AwsSolutions|Serverless)-SQS': /SQS::Queue$/,
  'Serverless-EventBus': /Events::Rule$/,
  'Serverless-LambdaEvent': /Lambda::EventSourceMapping$/,
  'Serverless-Lambda': /Lambda::Function$/,
  'Serverless-SNS': /SNS::Subscription$/,
};

const subjectOf = (rule: string): RegExp => {
  const [, types] = Object.entries(subjects).find(([start]) => new RegExp(`^${start}`).test(rule)) ?? [];
  if (!types) throw new Error(`No type of resources is known for ${rule}`);
  return types;
};

/** Acknowledges a rule as metadata of resources, where cdk-nag 2 reads it. cdk-nag 3 doesn't. */
const addMetadata = (construct: IConstruct, rule: string, reason: string): void => {
  const [, id = rule, finding] = /^([^[]+)\[(.*)\]$/.exec(rule) ?? [];
  const row = { id, reason, ...(finding && { applies_to: [finding] }) };
  for (const resource of construct.node.findAll().filter(CfnResource.isCfnResource)) {
    if (!subjectOf(rule).test(resource.cfnResourceType)) continue;
    const known: readonly object[] = resource.getMetadata('cdk_nag')?.rules_to_suppress ?? [];
    resource.addMetadata('cdk_nag', { rules_to_suppress: [...known, row] });
  }
};

/** Acknowledges the findings of rule packs in a stack. */
export const acknowledge = (stack: Stack, config: Config): void => {
  const { waf, webAclArn, apiWebAclArn, short } = config;
  const constructs = new Map(
    stack.node.findAll().map((one) => [one.node.path.slice(stack.node.path.length + 1), one]),
  );
  // Findings contain buckets' logical ids.
  const arnOf = (path: string): string =>
    `<${stack.getLogicalId(constructs.get(path)?.node.defaultChild as CfnElement)}.Arn>`;
  const acknowledged = [
    always,
    waf || apiWebAclArn ? {} : withoutApiFirewall,
    waf || webAclArn ? {} : withoutEdgeFirewall,
    short ? {} : withoutDomain,
  ];
  for (const findings of acknowledged)
    for (const [pattern, rules] of Object.entries(findings)) {
      const expression = new RegExp(`^${pattern}$`);
      for (const [path, construct] of constructs) {
        if (!expression.test(path)) continue;
        for (const [rule, reason] of Object.entries(rules)) {
          const id = rule.replace(/<(Clicks\/[\w/]+)>/, (_, bucket) => arnOf(bucket));
          Validations.of(construct).acknowledge({ id: `${rule.split('-')[0]}::${id}`, reason });
          addMetadata(construct, id, reason);
        }
      }
    }
};

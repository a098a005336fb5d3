import { RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { ConfigError } from '../../../lib/config-error.ts';
import { DynamicLinkStack, type DynamicLinkStackProps } from '../../../lib/stack.ts';
import { appWith, synthesize } from '../../support/deployment.ts';

const env = { account: '123456789012', region: 'eu-central-1' };
const atEdge = { ...env, region: 'us-east-1' };
const own = (service: string, name: string, region = env.region) =>
  `arn:aws:${service}:${region}:${env.account}:${name}`;
const arns = {
  alarmTopicArn: own('sns', 'oncall'),
  edgeAlarmTopicArn: own('sns', 'oncall', 'us-east-1'),
  encryptionKeyArn: own('kms', 'key/1234-abcd'),
  webAclArn: own('wafv2', 'global/webacl/shared/1234-abcd', 'us-east-1'),
  apiWebAclArn: own('wafv2', 'regional/webacl/shared/1234-abcd'),
};
const prod = { stage: 'prod', alarmEmail: 'ops@example.com' } as const;

const inApp = (propsOf: (scopes: { here: Stack; there: Stack }) => DynamicLinkStackProps, at = env) => {
  const app = appWith();
  const scopes = { here: new Stack(app, 'Here', { env }), there: new Stack(app, 'There', { env: atEdge }) };
  const props = propsOf(scopes);
  const links = new DynamicLinkStack(app, 'Links', { env: at, ...props });
  return { ...scopes, links };
};

const aclIn = (scope: Stack, kind: 'CLOUDFRONT' | 'REGIONAL') =>
  new wafv2.CfnWebACL(scope, `Acl${kind}`, {
    scope: kind,
    defaultAction: { allow: {} },
    visibilityConfig: { cloudWatchMetricsEnabled: true, metricName: 'acl', sampledRequestsEnabled: false },
  });

const countOf = (template: Template, type: string) => Object.keys(template.findResources(type)).length;

describe('resources of the app', () => {
  const { here, links } = inApp(({ here, there }) => ({
    settings: { ...prod, export: true, monthlyBudget: 5 },
    alarmTopic: new sns.Topic(here, 'Topic'),
    edgeAlarmTopic: new sns.Topic(there, 'Topic'),
    encryptionKey: new kms.Key(here, 'Key'),
    webAcl: aclIn(there, 'CLOUDFRONT'),
    apiWebAcl: aclIn(here, 'REGIONAL'),
  }));
  const template = Template.fromStack(links);

  test('replace the topics and firewalls that the stacks would make', () => {
    expect(links.edge).toBeUndefined();
    for (const one of [template, Template.fromStack(links.edgeAlarms as Stack)]) {
      expect(countOf(one, 'AWS::SNS::Topic')).toBe(0);
      expect(countOf(one, 'AWS::WAFv2::WebACL')).toBe(0);
    }
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
    const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
    expect(alarms.filter(({ Properties }) => Properties.AlarmActions).length).toBeGreaterThan(15);
  });

  test('a key encrypts everything that stores data', () => {
    const encrypted: Record<string, string> = {
      'AWS::DynamoDB::Table': 'SSESpecification',
      'AWS::SQS::Queue': 'KmsMasterKeyId',
      'AWS::S3::Bucket': 'BucketEncryption',
      'AWS::Logs::LogGroup': 'KmsKeyId',
      'AWS::SecretsManager::Secret': 'KmsKeyId',
    };
    for (const [type, property] of Object.entries(encrypted)) {
      const found = Object.values(template.findResources(type));
      expect(found.length).toBeGreaterThan(0);
      for (const { Properties } of found)
        expect(JSON.stringify(Properties[property])).toContain('Fn::GetStackOutput');
    }
  });

  test("the policy of the app's key is extended, with one statement for each need", () => {
    const [{ Properties } = { Properties: {} }] = Object.values(
      Template.fromStack(here).findResources('AWS::KMS::Key'),
    );
    const policy = JSON.stringify(Properties.KeyPolicy);
    for (const need of ['dynamodb', 's3', 'sqs', 'secretsmanager', 'logs'])
      expect(policy).toContain(`${need}.eu-central-1.amazonaws.com`);
    // Only topics of the stacks are encrypted, and these alarms notify topics of the app.
    expect(policy).not.toContain('budgets');
    Annotations.fromStack(links).hasNoWarning('*', Match.stringLikeRegexp('keyPolicyStatements'));
  });
});

test('an imported key gives a warning, and the statements that its policy needs', () => {
  const { links } = inApp(() => ({
    settings: { ...prod, monthlyBudget: 5, ...arns, alarmTopicArn: undefined },
  }));
  const statements = links.keyPolicyStatements().map((one) => links.resolve(one.toStatementJson()));
  const principals = statements.flatMap(({ Principal }) => Principal.Service ?? Principal.AWS);
  expect(principals).toEqual([
    '*',
    '*',
    'logs.eu-central-1.amazonaws.com',
    'cloudwatch.amazonaws.com',
    'budgets.amazonaws.com',
  ]);
  for (const { Condition } of statements) expect(JSON.stringify(Condition)).toContain('123456789012');
  Annotations.fromStack(links).hasWarning('/Links', Match.stringLikeRegexp('keyPolicyStatements'));
});

test('context keys do the same as constructs that the app imports', () => {
  const [service, edgeAlarms] = synthesize({ ...prod, region: env.region, ...arns }).map(
    ({ template }) => template,
  );
  const { links } = inApp(({ here }) => ({
    stackName: 'DynamicLinks-prod',
    settings: prod,
    alarmTopic: sns.Topic.fromTopicArn(here, 'Topic', arns.alarmTopicArn),
    edgeAlarmTopic: sns.Topic.fromTopicArn(here, 'EdgeTopic', arns.edgeAlarmTopicArn),
    encryptionKey: kms.Key.fromKeyArn(here, 'Key', arns.encryptionKeyArn),
    webAcl: arns.webAclArn,
    apiWebAcl: arns.apiWebAclArn,
  }));
  const kinds = (template: object) => Object.keys((template as { Resources: object }).Resources).length;
  expect(kinds(Template.fromStack(links).toJSON())).toBe(kinds(service));
  expect(kinds(Template.fromStack(links.edgeAlarms as Stack).toJSON())).toBe(kinds(edgeAlarms));
});

type Props = Parameters<typeof inApp>[0];

const refused: readonly (readonly [string, Props, string])[] = [
  ['an unknown setting', () => ({ settings: { wafs: true } as object }), 'wafs is not a setting'],
  ['an unknown alarm', () => ({ alarms: { Clicks: { actions: 'none' } } as object }), 'alarms has no Clicks'],
  [
    'an alarm with a topic of another region',
    ({ here }) => ({ settings: prod, alarms: { EdgeErrors: { actions: new sns.Topic(here, 'T') } } }),
    'alarms.EdgeErrors.actions must be a topic in us-east-1',
  ],
  [
    'a FIFO topic',
    ({ here }) => ({ alarmTopic: new sns.Topic(here, 'T', { fifo: true }) }),
    'alarmTopic must be a standard topic',
  ],
  [
    'a FIFO topic of an alarm',
    ({ here }) => ({ alarms: { ApiErrors: { actions: new sns.Topic(here, 'T', { fifo: true }) } } }),
    'alarms.ApiErrors.actions must be a standard topic',
  ],
  [
    'a FIFO topic by its ARN',
    () => ({ settings: { alarmTopicArn: `${arns.alarmTopicArn}.fifo` } }),
    'alarmTopicArn must be the ARN of a standard SNS topic',
  ],
  [
    'an alias of a key',
    ({ here }) => ({ encryptionKey: kms.Alias.fromAliasName(here, 'A', 'alias/a') }),
    'encryptionKey must be a key, not an alias',
  ],
  [
    "an alias's ARN",
    () => ({ settings: { encryptionKeyArn: own('kms', 'alias/a') } }),
    'encryptionKeyArn must be the ARN of a KMS key',
  ],
  [
    "another service's ARN",
    () => ({ settings: { alarmTopicArn: own('sqs', 'oncall') } }),
    'alarmTopicArn must be',
  ],
  [
    "another partition's ARN",
    () => ({ settings: { alarmTopicArn: arns.alarmTopicArn.replace('aws', 'aws-cn') } }),
    'alarmTopicArn must be',
  ],
  [
    "another region's ARN",
    () => ({ settings: { encryptionKeyArn: own('kms', 'key/1', 'eu-west-1') } }),
    'encryptionKeyArn must be of a resource in eu-central-1',
  ],
  ['a web ACL of another scope', () => ({ webAcl: arns.apiWebAclArn }), 'webAclArn must be the ARN of'],
  [
    'a web ACL construct of another scope',
    ({ here }) => ({ apiWebAcl: aclIn(here, 'CLOUDFRONT') }),
    'apiWebAcl must be a web ACL of the scope REGIONAL',
  ],
  [
    'a web ACL in another region',
    ({ here }) => ({ webAcl: aclIn(here, 'CLOUDFRONT') }),
    'webAcl is in eu-central-1, and must be in us-east-1',
  ],
  [
    "a key in another region's stack",
    ({ there }) => ({ encryptionKey: new kms.Key(there, 'K') }),
    'encryptionKey is in us-east-1',
  ],
  ['waf=off with a web ACL', () => ({ settings: { waf: false }, ...{ webAcl: arns.webAclArn } }), 'waf=off'],
  [
    'prod alarms in us-east-1 that nothing receives',
    () => ({ settings: { stage: 'prod', alarmTopicArn: arns.alarmTopicArn } }),
    'alarmTopicArn needs edgeAlarmTopicArn or alarmEmail',
  ],
  [
    'a resource as prop and setting',
    ({ here }) => ({ settings: arns, alarmTopic: new sns.Topic(here, 'T') }),
    'alarmTopicArn and alarmTopic are the same',
  ],
];

test.each(refused)('%s is refused', (_, propsOf, message) => {
  const synthesis = () => inApp(propsOf);
  expect(synthesis).toThrow(ConfigError);
  expect(synthesis).toThrow(message);
});

test('in dev, web ACLs protect CloudFront and the API as well', () => {
  const { webAclArn, apiWebAclArn } = arns;
  const { links } = inApp(() => ({ settings: { webAclArn, apiWebAclArn } }));
  const template = Template.fromStack(links);
  expect(links.edge).toBeUndefined();
  template.hasResourceProperties('AWS::CloudFront::Distribution', {
    DistributionConfig: { WebACLId: webAclArn },
  });
  template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: apiWebAclArn });
});

test('an alarm can stay silent or notify another topic', () => {
  const { here, links } = inApp(({ here }) => ({
    settings: prod,
    alarms: {
      ApiErrors: { actions: 'none' },
      RedirectSlow: { actions: sns.Topic.fromTopicArn(here, 'Slow', own('sns', 'slow')) },
      EdgeErrors: { actions: 'none' },
      Release: { actions: sns.Topic.fromTopicArn(here, 'Releases', own('sns', 'releases')) },
      // One of the two is in the topic's region; the other one keeps its actions.
      FirewallBlocks: { actions: sns.Topic.fromTopicArn(here, 'Blocks', own('sns', 'blocks')) },
    },
  }));
  expect(here.node.children).toHaveLength(3);
  const actionsOf = (stack: Stack | undefined) =>
    Object.entries(Template.fromStack(stack as Stack).findResources('AWS::CloudWatch::Alarm')).map(
      ([id, { Properties }]): [string, unknown] => [id, JSON.stringify(Properties.AlarmActions)],
    );
  const alarms = [...actionsOf(links), ...actionsOf(links.edgeAlarms)];
  const of = (name: string) => alarms.filter(([id]) => id.includes(name)).map(([, actions]) => actions);
  expect(of('ApiErrors')).toEqual([undefined]);
  expect(of('MonitoringRedirectSlow')).toEqual([JSON.stringify([own('sns', 'slow')])]);
  expect(of('EdgeErrors')).toEqual([undefined]);
  expect(new Set(of('Release'))).toEqual(new Set([JSON.stringify([own('sns', 'releases')])]));
  expect(of('MonitoringFirewallBlocks')).toEqual([JSON.stringify([own('sns', 'blocks')])]);
  expect(of('EdgeFirewallBlocks')).toEqual([expect.stringContaining('Topic')]);
});

test('DESTROY removes data with the stack, and lifts protections', () => {
  const { links } = inApp(() => ({ settings: prod, removalPolicy: RemovalPolicy.DESTROY }));
  const template = Template.fromStack(links);
  for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'])
    for (const one of Object.values(template.findResources(type))) {
      expect(one.DeletionPolicy).toBe('Delete');
      expect(one.Properties.DeletionProtectionEnabled ?? false).toBe(false);
    }
  const stacks = [links, links.edge, links.edgeAlarms];
  expect(stacks.map((one) => one?.terminationProtection)).toEqual([false, false, false]);
});

test('the stack exposes its resources, and works twice in one app', () => {
  const { links } = inApp(() => ({ settings: prod }));
  const another = new DynamicLinkStack(
    new Stage(links.node.root, 'Other', { env: { ...env, account: '210987654321' } }),
    'Links',
    {
      settings: { stage: 'staging' },
      stackName: 'acme-links',
    },
  );
  expect(links.resolve(links.restApi.restApiName)).toBe('Links');
  expect(links.functions.redirect?.node.path).toBe('Links/ShortLinks/Redirect/Function');
  expect(links.functions['create-link']?.node.path).toBe('Links/Api/CreateLink/Function');
  for (const one of [links.table, links.distribution, links.alarmTopic]) expect(Stack.of(one)).toBe(links);
  expect(links.edge?.stackName).toBe('LinksEdge-eu-central-1');
  expect(another.edge).toBeUndefined();
  expect(another.keyPolicyStatements()).toEqual([]);
  expect(another.restApi.restApiName).toBe('acme-links');
});

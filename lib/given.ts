import { CfnResource, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import type * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { differ, refuseFifo } from './alarm-names.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { edgeRegion } from './domains.ts';
import type { StageSettings } from './settings.ts';

/** Resources of the app that the stacks use instead of their own. */
export interface ExistingResources {
  /** Replaces the topic of the alarms in the service's region. */
  readonly alarmTopic?: sns.ITopic | undefined;
  /** Replaces the topic of the alarms in `us-east-1`. */
  readonly edgeAlarmTopic?: sns.ITopic | undefined;
  /** Encrypts tables, queues, topics, buckets, log groups and secrets in the service's region. */
  readonly encryptionKey?: kms.IKey | undefined;
  /** Replaces CloudFront's firewall: a web ACL in `us-east-1`, or its ARN. */
  readonly webAcl?: wafv2.CfnWebACL | string | undefined;
  /** Replaces the API's firewall: a regional web ACL, or its ARN. */
  readonly apiWebAcl?: wafv2.CfnWebACL | string | undefined;
}

/** The settings with the ARNs of existing resources. Throws ConfigError for a resource that can't be used. */
export const withExisting = (
  settings: StageSettings,
  { alarmTopic, edgeAlarmTopic, encryptionKey, webAcl, apiWebAcl }: ExistingResources,
): StageSettings => {
  if (alarmTopic) refuseFifo('alarmTopic', alarmTopic);
  if (edgeAlarmTopic) refuseFifo('edgeAlarmTopic', edgeAlarmTopic);
  if (encryptionKey && 'aliasName' in encryptionKey)
    throw new ConfigError('encryptionKey must be a key, not an alias of one');
  refuseScope('webAcl', webAcl, 'CLOUDFRONT');
  refuseScope('apiWebAcl', apiWebAcl, 'REGIONAL');
  const arns = {
    alarmTopicArn: alarmTopic?.topicArn,
    edgeAlarmTopicArn: edgeAlarmTopic?.topicArn,
    encryptionKeyArn: encryptionKey?.keyArn,
    webAclArn: typeof webAcl === 'object' ? webAcl.attrArn : webAcl,
    apiWebAclArn: typeof apiWebAcl === 'object' ? apiWebAcl.attrArn : apiWebAcl,
  };
  const given = Object.fromEntries(Object.entries(arns).filter(([, arn]) => arn !== undefined));
  const twice = Object.keys(given).find((key) => settings[key as keyof StageSettings] !== undefined);
  if (twice)
    throw new ConfigError(`${twice} and ${twice.replace(/Arn$/, '')} are the same; give one of them`);
  return { ...settings, ...given };
};

const refuseScope = (name: string, acl: wafv2.CfnWebACL | string | undefined, scope: string): void => {
  if (typeof acl === 'object' && acl.scope !== scope)
    throw new ConfigError(`${name} must be a web ACL of the scope ${scope}, not ${acl.scope}`);
};

/** Throws ConfigError for a resource whose stack is in another region than its use. */
export const refuseElsewhere = (
  { alarmTopic, edgeAlarmTopic, encryptionKey, webAcl, apiWebAcl }: ExistingResources,
  region: string,
): void => {
  const regionOf = (acl: typeof webAcl) => (typeof acl === 'object' ? Stack.of(acl).region : undefined);
  const places = [
    ['alarmTopic', alarmTopic?.env.region, region],
    ['edgeAlarmTopic', edgeAlarmTopic?.env.region, edgeRegion],
    ['encryptionKey', encryptionKey?.env.region, region],
    ['webAcl', regionOf(webAcl), edgeRegion],
    ['apiWebAcl', regionOf(apiWebAcl), region],
  ] as const;
  for (const [name, found, needed] of places)
    if (found !== undefined && differ(found, needed))
      throw new ConfigError(`${name} is in ${found}, and must be in ${needed}`);
};

/** The given topics and key, or those that the settings' ARNs identify. */
export const existingOf = (scope: Construct, config: Config, props: ExistingResources) => {
  const topic = (id: string, arn: string | undefined) =>
    arn === undefined ? undefined : sns.Topic.fromTopicArn(scope, id, arn);
  const { alarmTopicArn, edgeAlarmTopicArn, encryptionKeyArn } = config;
  return {
    alarmTopic: props.alarmTopic ?? topic('AlarmTopic', alarmTopicArn),
    edgeAlarmTopic: props.edgeAlarmTopic ?? topic('EdgeAlarmTopic', edgeAlarmTopicArn),
    encryptionKey:
      props.encryptionKey ??
      (encryptionKeyArn === undefined ? undefined : kms.Key.fromKeyArn(scope, 'Key', encryptionKeyArn)),
  };
};

/** Services through which principals of the account use the key of a resource. */
const viaServices: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'dynamodb',
  'AWS::S3::Bucket': 's3',
  'AWS::SQS::Queue': 'sqs',
  'AWS::SecretsManager::Secret': 'secretsmanager',
};

/** Services that use a topic's key themselves, by the resources with which they publish. */
const publishers: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'cloudwatch.amazonaws.com',
  'AWS::Budgets::Budget': 'budgets.amazonaws.com',
};

/**
 * The statements that a key's policy needs for the resources of these stacks. As with keys that AWS manages, the
 * services' own permissions decide who reaches the data.
 */
export const keyStatements = (stack: Stack, stacks: readonly Stack[]): iam.PolicyStatement[] => {
  const resources = stacks.flatMap(({ node }) => node.findAll()).filter(CfnResource.isCfnResource);
  const types = new Set(resources.map(({ cfnResourceType }) => cfnResourceType));
  const among = (table: Readonly<Record<string, string>>) =>
    Object.entries(table).flatMap(([type, service]) => (types.has(type) ? service : []));
  const { account, region } = stack;
  const via = (service: string) => `${service}.${region}.amazonaws.com`;
  const ofAccount = { 'aws:SourceAccount': account };
  const allow = (actions: readonly string[], principal: iam.IPrincipal, conditions: iam.Conditions) =>
    new iam.PolicyStatement({
      actions: actions.map((action) => `kms:${action}`),
      principals: [principal],
      resources: ['*'],
      conditions,
    });
  const callers = { 'kms:CallerAccount': account, 'kms:ViaService': among(viaServices).map(via) };
  const anyone = new iam.AnyPrincipal();
  const use = ['Decrypt', 'GenerateDataKey*'];
  const useFully = ['Encrypt', 'ReEncrypt*', ...use, 'DescribeKey'];
  return [
    allow(useFully, anyone, { StringEquals: callers }),
    allow(['CreateGrant'], anyone, {
      StringEquals: { ...callers, 'kms:ViaService': via('dynamodb') },
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    }),
    allow(useFully, new iam.ServicePrincipal(via('logs')), {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': stack.formatArn({ service: 'logs', resource: '*' }),
      },
    }),
    ...(types.has('AWS::SNS::Topic') ? among(publishers) : []).map((service) =>
      allow(use, new iam.ServicePrincipal(service), { StringEquals: ofAccount }),
    ),
  ];
};

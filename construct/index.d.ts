import { type RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

/** The settings of docs/deploy.md. */
export interface StageSettings {
  readonly stage?: string | undefined;
  readonly like?: 'dev' | 'prod' | undefined;
  readonly region?: string | undefined;
  readonly rateLimitPerHour?: number | undefined;
  readonly uniqueWindowDays?: number | undefined;
  readonly logRetentionDays?: number | undefined;
  readonly waf?: boolean | undefined;
  readonly shortDomain?: string | undefined;
  readonly shortCertificateArn?: string | undefined;
  readonly shortHostedZoneId?: string | undefined;
  readonly shortAliases?: readonly string[] | undefined;
  readonly ownHosts?: 'aliases' | 'tenants' | undefined;
  readonly tableName?: string | undefined;
  readonly tableStreamArn?: string | undefined;
  readonly apiDomain?: string | undefined;
  readonly apiCertificateArn?: string | undefined;
  readonly apiHostedZoneId?: string | undefined;
  readonly alarmEmail?: string | undefined;
  readonly alarmTopicArn?: string | undefined;
  readonly edgeAlarmTopicArn?: string | undefined;
  readonly encryptionKeyArn?: string | undefined;
  readonly webAclArn?: string | undefined;
  readonly apiWebAclArn?: string | undefined;
  readonly healthCheck?: boolean | undefined;
  readonly runbookUrl?: string | undefined;
  readonly callsPerSecond?: number | undefined;
  readonly reservedConcurrency?: number | undefined;
  readonly visitsPerAddress?: number | undefined;
  readonly warmThroughput?: [number, number] | undefined;
  readonly capacity?: 'on-demand' | { reads: number; writes: number } | undefined;
  readonly figuresWithin?: 2 | 10 | 60 | 300 | undefined;
  readonly monthlyBudget?: number | undefined;
  readonly abuseContact?: string | undefined;
  readonly figuresRetentionDays?: number | undefined;
  readonly historyDays?: number | undefined;
  readonly consoleName?: string | undefined;
  readonly consoleLogo?: string | undefined;
  readonly linksPerProject?: number | undefined;
  readonly eventBuses?: readonly string[] | undefined;
  readonly signIn?: string | undefined;
  readonly signInClient?: string | undefined;
  readonly signInSecret?: string | undefined;
  readonly signInTrustsEmail?: boolean | undefined;
  readonly export?: boolean | undefined;
}

/** The alarms' names: headings of docs/runbook.md. */
export type AlarmName =
  | 'ApiErrors'
  | 'ApiSlow'
  | 'AuthorizerErrors'
  | 'BatchesLost'
  | 'CallsRefused'
  | 'ClicksLate'
  | 'ClicksLost'
  | 'ClicksSkipped'
  | 'ClicksUndeliverable'
  | 'ClicksWaiting'
  | 'ConsumerErrors'
  | 'EdgeErrors'
  | 'EdgeRefusals'
  | 'ExpiryLate'
  | 'ExportDelayed'
  | 'ExportLate'
  | 'ExportLost'
  | 'ExportRefused'
  | 'FirewallBlocks'
  | 'FunctionsThrottled'
  | 'HealthCheck'
  | 'RateCounterUnavailable'
  | 'ReadersStopped'
  | 'RedirectErrors'
  | 'RedirectSlow'
  | 'Release'
  | 'SenderErrors'
  | 'SignInErrors'
  | 'TableThrottled'
  | 'WebhooksFailing';

/** The functions' names: docs/architecture.md lists them. */
export type FunctionName =
  | 'aggregate-clicks'
  | 'app-link'
  | 'authorize'
  | 'check-code'
  | 'create-link'
  | 'create-links'
  | 'create-mobile-app'
  | 'create-share-link'
  | 'delete-link'
  | 'delete-mobile-app'
  | 'emit-events'
  | 'get-analytics'
  | 'get-link'
  | 'get-mobile-app'
  | 'get-usage'
  | 'list-links'
  | 'list-mobile-apps'
  | 'list-tags'
  | 'qr'
  | 'record-clicks'
  | 'redirect'
  | 'reference'
  | 'send-events'
  | 'update-link'
  | 'update-link-status'
  | 'update-mobile-app'
  | 'well-known';

export type AlarmOverrides = { readonly [Name in AlarmName]?: { readonly actions: 'none' | ITopic } };

export interface DynamicLinkStackProps extends StackProps {
  readonly settings?: StageSettings | undefined;
  /** Replaces the topic of the alarms in the service's region. */
  readonly alarmTopic?: ITopic | undefined;
  /** Replaces the topic of the alarms in `us-east-1`. */
  readonly edgeAlarmTopic?: ITopic | undefined;
  /** Encrypts tables, queues, topics, buckets, log groups and secrets in the service's region. */
  readonly encryptionKey?: IKey | undefined;
  /** Replaces CloudFront's firewall: a web ACL in `us-east-1`, or its ARN. */
  readonly webAcl?: CfnWebACL | string | undefined;
  /** Replaces the API's firewall: a regional web ACL, or its ARN. */
  readonly apiWebAcl?: CfnWebACL | string | undefined;
  /** For the resources with data; DESTROY also lifts deletion and termination protection. @default by the stage's kind */
  readonly removalPolicy?: RemovalPolicy | undefined;
  /** Actions of single alarms, by their headings in docs/runbook.md. */
  readonly alarms?: AlarmOverrides | undefined;
  /** The region for stacks that need one if the settings have none. @default us-east-1 */
  readonly otherRegion?: string | undefined;
}

/** The whole service: this stack and, if needed, its stacks in `us-east-1`. Throws ConfigError for invalid settings. */
export declare class DynamicLinkStack extends Stack {
  readonly shortBaseUrl: string;
  readonly apiBaseUrl: string;
  readonly table: ITable;
  readonly distribution: Distribution;
  readonly restApi: RestApi;
  /** The topic that alarms in the service's region notify. */
  readonly alarmTopic: ITopic;
  /** The functions by name; `sign-in` only if members sign in. */
  readonly functions: Readonly<Record<FunctionName, LambdaFunction>> & {
    readonly 'sign-in'?: LambdaFunction;
  };
  /** The stack of CloudFront's certificate and firewall, if there is one. */
  readonly edge?: Stack | undefined;
  /** The stack of the alarms in `us-east-1`, if there is one. */
  readonly edgeAlarms?: Stack | undefined;
  constructor(scope: Construct, id: string, props?: DynamicLinkStackProps);
  constructor(scope: Construct, id: string, settings: StageSettings, props?: DynamicLinkStackProps);
  /** The statements that the policy of `encryptionKey` needs; none without that key. */
  keyPolicyStatements(): PolicyStatement[];
}

/** Invalid settings or properties. */
export declare class ConfigError extends Error {}

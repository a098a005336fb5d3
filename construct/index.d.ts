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
import type { AlarmName, FunctionName, OptionalFunctionName, StageSettings } from './lists.js';

export type { AlarmName, FunctionName, OptionalFunctionName, StageSettings } from './lists.js';

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

/** The whole service: this stack and, if needed, its stacks in `us-east-1` and the second region. Throws ConfigError for invalid settings. */
export declare class DynamicLinkStack extends Stack {
  readonly shortBaseUrl: string;
  readonly apiBaseUrl: string;
  readonly table: ITable;
  readonly distribution: Distribution;
  readonly restApi: RestApi;
  /** The topic that alarms in the service's region notify. */
  readonly alarmTopic: ITopic;
  /** The functions by name; some exist only with their settings. */
  readonly functions: Readonly<
    Record<FunctionName, LambdaFunction> & Partial<Record<OptionalFunctionName, LambdaFunction>>
  >;
  /** The stack of CloudFront's certificate and firewall, if there is one. */
  readonly edge?: Stack | undefined;
  /** The stack of the alarms in `us-east-1`, if there is one. */
  readonly edgeAlarms?: Stack | undefined;
  /** The stack in the second region, if there is one. */
  readonly standby?: Stack | undefined;
  constructor(scope: Construct, id: string, props?: DynamicLinkStackProps);
  constructor(scope: Construct, id: string, settings: StageSettings, props?: DynamicLinkStackProps);
  /** The statements that the policy of `encryptionKey` needs; none without that key. */
  keyPolicyStatements(): PolicyStatement[];
}

/** Invalid settings or properties. */
export declare class ConfigError extends Error {}

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { limits } from '../core/base/limits.ts';
import type { Config } from './config.ts';

/* Resources that store data: how they are encrypted, and whether a stage treated as prod keeps what its stack removes. */

const removalPolicyOf = ({ like, removalPolicy }: Config): RemovalPolicy =>
  removalPolicy ?? (like === 'prod' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY);

/** Whether a wrong command can't delete the tables and the stacks. */
export const isProtected = ({ like, removalPolicy }: Config): boolean =>
  like === 'prod' && removalPolicy !== RemovalPolicy.DESTROY;

export const logGroup = (scope: Construct, id: string, config: Config): logs.LogGroup =>
  new logs.LogGroup(scope, id, {
    retention: config.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
    ...keyOf(config),
  });

/** The given key as a property, for resources that AWS encrypts in any case. */
const keyOf = ({ encryptionKey }: Config) => encryptionKey && { encryptionKey };

/** Properties of each queue: encryption, and two weeks for messages, the longest that SQS offers. */
export const keptQueue = ({ encryptionKey }: Config) => ({
  ...(encryptionKey
    ? { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
    : { encryption: sqs.QueueEncryption.SQS_MANAGED }),
  enforceSSL: true,
  retentionPeriod: Duration.days(limits.clickQueueDays),
});

export const privateBucket = (
  scope: Construct,
  id: string,
  config: Config,
  rule: s3.LifecycleRule,
): s3.Bucket =>
  new s3.Bucket(scope, id, {
    encryption: config.encryptionKey ? s3.BucketEncryption.KMS : s3.BucketEncryption.S3_MANAGED,
    ...(config.encryptionKey && { ...keyOf(config), bucketKeyEnabled: true }),
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [rule],
    removalPolicy: removalPolicyOf(config),
  });

/** A generated secret. Its value is resolved at deployment; the template contains only a reference. */
export const randomSecret = (
  scope: Construct,
  id: string,
  config: Config,
  description: string,
): secretsmanager.Secret =>
  new secretsmanager.Secret(scope, id, {
    description,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: removalPolicyOf(config),
    ...keyOf(config),
  });

import { RemovalPolicy } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Config } from './config.ts';

/* Resources that a stage treated as prod keeps when its stack removes them. */

const removalPolicyOf = ({ like }: Config): RemovalPolicy =>
  like === 'prod' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

export const privateBucket = (
  scope: Construct,
  id: string,
  config: Config,
  rule: s3.LifecycleRule,
): s3.Bucket =>
  new s3.Bucket(scope, id, {
    encryption: s3.BucketEncryption.S3_MANAGED,
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
  });

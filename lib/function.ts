import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AssetHashType, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { writeBundle } from './bundles.ts';
import type { Config } from './config.ts';

const root = path.join(import.meta.dirname, '..');

export interface ServiceFunctionProps {
  /** Entry file below `lambdas/`, without `.ts`. */
  readonly entry: string;
  readonly description: string;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string>>;
  /** @default 10 seconds */
  readonly timeout?: Duration;
  /** @default 512 */
  readonly memorySize?: number;
  /** Reserved and maximum concurrency. @default the account's */
  readonly reservedConcurrency?: number | undefined;
  /** Files beside the code, with their content; read when the function is bundled. */
  readonly files?: () => Readonly<Record<string, string>>;
  /** Whether stack traces name lines of the source, for which Node does more at its start. @default true */
  readonly mapped?: boolean;
  /** Whether X-Ray follows its requests. @default false */
  readonly traced?: boolean;
  /** Whether callers reach it through an alias, which moves to a new version step by step. @default false */
  readonly released?: boolean;
}

/** The only kind of function of this service: one bundle, one log group, one role that starts with nothing else. */
export class ServiceFunction extends Construct {
  readonly function: lambda.Function;
  /** Where callers move from version to version, if they do. */
  readonly alias?: lambda.Alias;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: props.config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const isMapped = props.mapped ?? true;
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: bundle(props.entry, { files: props.files, isMapped }),
      handler: 'index.handler',
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's own line for each request costs more than it is worth; CloudWatch has the figures.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      environment: {
        ...(isMapped && { NODE_OPTIONS: '--enable-source-maps' }),
        STACK_NAME: Stack.of(this).stackName,
        ...props.environment,
      },
      timeout: props.timeout ?? Duration.seconds(10),
      memorySize: props.memorySize ?? 512,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      tracing: props.traced ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
    });
    if (props.released) {
      this.alias = new lambda.Alias(this, 'Live', {
        aliasName: 'live',
        version: this.function.currentVersion,
      });
    }
    this.acknowledge(props);
  }

  /** What callers invoke. */
  get live(): lambda.IFunction {
    return this.alias ?? this.function;
  }

  private acknowledge({ traced }: ServiceFunctionProps): void {
    Validations.of(this).acknowledge({
      id: 'Serverless::Serverless-LambdaDLQ',
      reason: 'Nothing invokes it asynchronously, which is what a dead letter queue is for',
    });
    Validations.of(this).acknowledge(
      traced
        ? {
            id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
            reason: 'X-Ray takes traces without a resource to name',
          }
        : {
            id: 'Serverless::Serverless-LambdaTracing',
            reason:
              'It runs too often for traces to be worth their price, or behind the stream, where none begins',
          },
    );
  }
}

interface BundleProps {
  readonly files: ServiceFunctionProps['files'];
  readonly isMapped: boolean;
}

const bundle = (entry: string, { files = () => ({}), isMapped }: BundleProps): lambda.Code =>
  lambda.Code.fromAsset(path.join(root, 'lambdas'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: lambda.Runtime.NODEJS_24_X.bundlingImage,
      // Distinguishes the bundles, which all come from one folder.
      command: [entry],
      local: {
        tryBundle: (outputDir) => {
          writeBundle(entry, outputDir, { isMapped });
          for (const [name, content] of Object.entries(files())) {
            writeFileSync(path.join(outputDir, name), content);
          }
          return true;
        },
      },
    },
  });

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AssetHashType, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { grantsFor } from '../core/table/access.ts';
import { writeBundle } from './bundles.ts';
import type { FunctionRow } from './functions.ts';
import { environmentOf, type FunctionSettings } from './service.ts';

const lambdas = path.join(import.meta.dirname, '../lambdas');

/** The only kind of function of this service: one bundle, one log group, one role that starts with nothing else. */
export class ServiceFunction extends Construct {
  readonly function: lambda.Function;
  /** Where callers move from version to version, if they do. */
  readonly alias?: lambda.Alias;

  constructor(scope: Construct, row: FunctionRow, service: FunctionSettings) {
    super(scope, row.id);
    const { config, table } = service;
    const { uses, isMapped = true, reserved } = row;
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const concurrency = config.reservedConcurrency;
    this.function = new lambda.Function(this, 'Function', {
      description: row.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: codeOf(row),
      handler: 'index.handler',
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's own line for each request costs more than it is worth; CloudWatch has the figures.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      environment: {
        ...(isMapped && { NODE_OPTIONS: '--enable-source-maps' }),
        STACK_NAME: Stack.of(this).stackName,
        ...(uses.length > 0 && { TABLE_NAME: table.tableName }),
        ...environmentOf(row.reads, service),
      },
      timeout: Duration.seconds(row.timeoutSeconds ?? 10),
      memorySize: row.memorySize ?? 512,
      ...(concurrency && reserved && { reservedConcurrentExecutions: reserved(concurrency) }),
      tracing: row.isTraced ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
    });
    if (row.isReleased && config.like === 'prod') {
      this.alias = new lambda.Alias(this, 'Live', {
        aliasName: 'live',
        version: this.function.currentVersion,
      });
    }
    // Exactly what its operations take, on the items that they touch. Each of the actions names its partition keys in every
    // request, so a condition on all of them leaves no request without one.
    for (const { actions, leadingKeys } of grantsFor(uses))
      this.allow(
        actions.map((action) => `dynamodb:${action}`),
        [table.tableArn],
        { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } },
      );
  }

  /** Lets it make these calls, and no others as the CDK's own grants would. */
  allow(actions: readonly string[], resources: readonly string[], conditions?: object): void {
    this.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: [...actions],
        resources: [...resources],
        ...(conditions && { conditions }),
      }),
    );
  }

  /** Behind a method of an API, of which each may invoke it. */
  integration(): apigateway.LambdaIntegration {
    return new apigateway.LambdaIntegration(this.live, { scopePermissionToMethod: false });
  }

  /** What callers invoke. */
  get live(): lambda.IFunction {
    return this.alias ?? this.function;
  }
}

const codeOf = ({ entry, files = () => ({}), isMapped = true }: FunctionRow): lambda.Code =>
  lambda.Code.fromAsset(lambdas, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: lambda.Runtime.NODEJS_24_X.bundlingImage,
      // Distinguishes the bundles, which all come from one folder.
      command: [entry],
      local: {
        tryBundle: (outputDir) => {
          // On one machine there is a debugger for every function.
          writeBundle(entry, outputDir, { isMapped: isMapped || process.env.BUNDLE_MAPS === 'all' });
          for (const [name, content] of Object.entries(files())) {
            writeFileSync(path.join(outputDir, name), content);
          }
          return true;
        },
      },
    },
  });

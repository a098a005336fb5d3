import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AssetHashType, Duration, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { grantsFor } from '../core/table/access.ts';
import { writeBundle } from './bundles.ts';
import type { FunctionRow } from './functions.ts';
import { logGroup } from './retained.ts';
import { environmentOf, type FunctionSettings } from './service.ts';

/** A function of this service, with one bundle, one log group and one role without other permissions. */
export class ServiceFunction extends Construct {
  readonly function: lambda.Function;
  /** The name of its entry file. */
  readonly entryName: string;
  /** The alias that shifts callers between versions, if there is one. */
  readonly alias?: lambda.Alias;

  constructor(scope: Construct, row: FunctionRow, service: FunctionSettings) {
    super(scope, row.id);
    this.entryName = path.basename(row.entry);
    const { config, table } = service;
    const { uses, isMapped = true, reserved } = row;
    const logs = logGroup(this, 'Logs', config);
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logs.grantWrite(role);
    const concurrency = config.reservedConcurrency;
    this.function = new lambda.Function(this, 'Function', {
      description: row.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: codeOf(row),
      handler: 'index.handler',
      role,
      logGroup: logs,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's log line for each request isn't worth its cost; CloudWatch has the metrics.
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
    this.allowItems(table, grantsFor(uses));
  }

  /**
   * Grants exactly these actions on these items. Every request of these actions contains partition keys, so `ForAllValues`
   * is never vacuously true.
   */
  allowItems({ tableArn }: ITable, grants: ReturnType<typeof grantsFor>): void {
    for (const { actions, leadingKeys } of grants)
      this.allow(
        actions.map((action) => `dynamodb:${action}`),
        [tableArn],
        { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys } },
      );
  }

  /** Grants exactly these actions; the CDK's own grants would add others. */
  allow(actions: readonly string[], resources: readonly string[], conditions?: object): void {
    this.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: [...actions],
        resources: [...resources],
        ...(conditions && { conditions }),
      }),
    );
  }

  /** An integration that any method of the API may invoke. */
  integration(): apigateway.LambdaIntegration {
    return new apigateway.LambdaIntegration(this.live, { scopePermissionToMethod: false });
  }

  /** The alias, or else the function, that callers invoke. */
  get live(): lambda.IFunction {
    return this.alias ?? this.function;
  }
}

const codeOf = ({ entry, files = () => ({}), isMapped = true }: FunctionRow): lambda.Code =>
  lambda.Code.fromAsset(import.meta.dirname, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: lambda.Runtime.NODEJS_24_X.bundlingImage,
      // The command makes the assets differ, because all have the same source folder.
      command: [entry],
      local: {
        tryBundle: (outputDir) => {
          // The local stack needs maps of every function for debuggers.
          writeBundle(entry, outputDir, { isMapped: isMapped || process.env.BUNDLE_MAPS === 'all' });
          for (const [name, content] of Object.entries(files())) {
            writeFileSync(path.join(outputDir, name), content);
          }
          return true;
        },
      },
    },
  });

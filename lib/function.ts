import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { AssetHashType, Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { buildSync } from 'esbuild';

const root = path.join(import.meta.dirname, '..');

export interface ServiceFunctionProps {
  /** Entry file below `lambdas/`, without `.ts`. */
  readonly entry: string;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  /** @default 10 seconds */
  readonly timeout?: Duration;
  /** @default 512 */
  readonly memorySize?: number;
}

/** The only kind of function of this service: one bundle, one log group, one role that starts with nothing else. */
export class ServiceFunction extends Construct {
  readonly function: lambda.Function;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: logs.RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: bundle(props.entry),
      handler: 'index.handler',
      role,
      logGroup,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...props.environment },
      timeout: props.timeout ?? Duration.seconds(10),
      memorySize: props.memorySize ?? 512,
    });
  }
}

const bundle = (entry: string): lambda.Code =>
  lambda.Code.fromAsset(path.join(root, 'lambdas'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: lambda.Runtime.NODEJS_24_X.bundlingImage,
      // Tells the bundles apart, which all come from one folder.
      command: [entry],
      local: {
        tryBundle: (outputDir) => {
          build(entry, outputDir);
          return true;
        },
      },
    },
  });

/** Where the SDK would look for credentials outside Lambda. It imports these only when the environment has none. */
const otherCredentialSources = ['http', 'imds', 'ini', 'login', 'process', 'sso', 'web-identity']
  .map((source) => `@*/credential-provider-${source}`)
  .concat('@aws-sdk/nested-clients/*', '@aws-sdk/token-providers');

const build = (entry: string, outputDir: string) => {
  mkdirSync(outputDir, { recursive: true });
  buildSync({
    absWorkingDir: root,
    entryPoints: [path.join('lambdas', `${entry}.ts`)],
    outfile: path.join(outputDir, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: otherCredentialSources,
    // CommonJS packages in an ES module still ask for `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
};

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStageFile, stageFilesFolder } from '../../lib/stage-file.ts';

const cdkJson = path.join(import.meta.dirname, '../../cdk.json');

export interface RegionSources {
  /** The operator's `--region`. */
  readonly given?: string | undefined;
  /** The stage whose `deployments/STAGE.json` applies. */
  readonly stage?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The `cdk.json` of this checkout, whose context `cdk deploy` reads. */
  readonly cdkFile?: string;
  readonly stageFiles?: string;
}

/**
 * The region of a deployed stack: `--region`, then that of `cdk.json` or the stage's file, which also win over the
 * environment in a deployment, then AWS_REGION, then AWS_DEFAULT_REGION, which the SDK doesn't read. Undefined leaves
 * it to the SDK, which reads the profile's region. Throws ConfigError if the stage's file can't be read.
 */
export const awsRegion = ({
  given,
  stage,
  environment = process.env,
  cdkFile = cdkJson,
  stageFiles = stageFilesFolder,
}: RegionSources = {}): string | undefined =>
  [
    given,
    contextRegion(cdkFile),
    stage && readStageFile(stage, stageFiles).region,
    environment.AWS_REGION,
    environment.AWS_DEFAULT_REGION,
  ].find((region) => region !== undefined && region !== '');

/** The stage that a stack of this app belongs to, by its name. */
export const stageOf = (stackName: string): string | undefined =>
  /^DynamicLinks-([a-z0-9-]+)$/.exec(stackName)?.[1];

const contextRegion = (file: string): string | undefined => {
  const { context = {} } = JSON.parse(readFileSync(file, 'utf8')) as { context?: { region?: unknown } };
  return typeof context.region === 'string' ? context.region : undefined;
};

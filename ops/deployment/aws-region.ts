import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readStageFile, stageFilesFolder } from '../../lib/stage-file.ts';

const cdkJson = path.join(import.meta.dirname, '../../cdk.json');

export interface RegionSources {
  /** What the operator gave as `--region`. */
  readonly given?: string | undefined;
  /** Whose choices in `deployments/STAGE.json` count. */
  readonly stage?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The `cdk.json` of this checkout, whose context `cdk deploy` reads. */
  readonly cdkFile?: string;
  /** Where the stages' choices are. */
  readonly stageFiles?: string;
}

/**
 * The region in which to look for a deployed stack: `--region`, then the region that `cdk.json` or the stage's file
 * deploys to, which win over the environment in a deployment, too, then AWS_REGION, then AWS_DEFAULT_REGION, which the
 * SDK doesn't read. Undefined leaves it to the SDK, which knows the profile's region. Throws ConfigError for a file of
 * the stage that can't be read.
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

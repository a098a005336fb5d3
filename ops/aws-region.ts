import { readFileSync } from 'node:fs';
import path from 'node:path';

const cdkJson = path.join(import.meta.dirname, '../cdk.json');

export interface RegionSources {
  /** What the operator gave as `--region`. */
  readonly given?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The `cdk.json` of this checkout, whose context `cdk deploy` reads. */
  readonly cdkFile?: string;
}

/**
 * The region in which to look for a deployed stack: `--region`, then the region that `cdk.json` deploys to, which
 * wins over the environment in `cdk deploy`, too, then AWS_REGION, then AWS_DEFAULT_REGION, which the SDK doesn't
 * read. Undefined leaves it to the SDK, which knows the profile's region.
 */
export const awsRegion = ({
  given,
  environment = process.env,
  cdkFile = cdkJson,
}: RegionSources = {}): string | undefined =>
  [given, contextRegion(cdkFile), environment.AWS_REGION, environment.AWS_DEFAULT_REGION].find(
    (region) => region !== undefined && region !== '',
  );

const contextRegion = (file: string): string | undefined => {
  const { context = {} } = JSON.parse(readFileSync(file, 'utf8')) as { context?: { region?: unknown } };
  return typeof context.region === 'string' ? context.region : undefined;
};

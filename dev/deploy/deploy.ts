import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { identityIn, profileRegion } from '../../ops/aws/identity.ts';
import { ofContext } from '../../ops/base/context-usage.ts';
import { OperatorError } from '../../ops/base/operator-error.ts';
import { deployArguments, dropsOf, stepBefore } from './checks.ts';

const cdk = path.join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk');

/** Runs `cdk deploy` with its arguments; resolves to whether it succeeded. Throws first if it can't. */
export const deploy = async (args: readonly string[], progress: (text: string) => void): Promise<boolean> => {
  // Checked without AWS.
  const asked = ofContext(() => deployArguments(args));
  const { profile } = asked;
  const { stage, like } = asked.config;
  const region = asked.region ?? (await profileRegion({ profile }));
  if (region === undefined)
    throw new OperatorError('No region is set: give -c region=NAME or set AWS_REGION');
  // Checked before anything slow, because signing in again is quicker than bundling in vain.
  const { account } = await identityIn({ region, profile });
  progress(`account ${account}, region ${region}, stage ${stage}${like === stage ? '' : `, like ${like}`}`);
  const drops = await dropsOf(asked);
  if (drops.length > 0) {
    throw new OperatorError(
      `This deployment would remove ${drops.join(', ')}. Set the same context values as before, best in deployments/STAGE.json, or confirm with -c allowDrop=true.`,
    );
  }
  const step = await stepBefore(asked);
  if (step) progress(step);
  const { status } = spawnSync(process.execPath, [cdk, 'deploy', ...args], { stdio: 'inherit' });
  return status === 0;
};

import { type Config, configOf } from '../../lib/config.ts';
import { settingsOf } from '../../lib/settings.ts';
import { stackNameOf } from '../../lib/stack-names.ts';
import { readStageFile } from '../../lib/stage-file.ts';
import { cdkFlags } from '../base/cdk-flags.ts';
import { synthesizedStacks } from '../base/synthesized-stacks.ts';

/** The stacks that `cdk deploy` would deploy, with their regions. */
export interface Plan {
  /** The oldest bootstrap version that the stacks accept, by region. */
  readonly bootstraps: Readonly<Record<string, number>>;
  readonly config: Config;
  readonly stacks: readonly { readonly name: string; readonly region: string }[];
  /** The name of the service's stack. */
  readonly stack: string;
}

/** The plan of a stage. Throws the app's error for an invalid choice. `region` is for stacks without their own. */
export const stagePlanOf = (context: Readonly<Record<string, string>>, region: string): Plan => {
  const settings = settingsOf({ ...cdkFlags(), region, ...context }, readStageFile);
  const stacks = synthesizedStacks({
    settings,
    region,
    isChecked: true,
    read: (all) =>
      all.map(({ stackName: name, environment, requiresBootstrapStackVersion: version = 0 }) => ({
        name,
        region: environment.region === 'unknown-region' ? region : environment.region,
        version,
      })),
  });
  const bootstraps: Record<string, number> = {};
  for (const { region: where, version } of stacks)
    bootstraps[where] = Math.max(bootstraps[where] ?? 0, version);
  return { bootstraps, stacks, config: configOf(settings, region), stack: stackNameOf(settings) };
};

import { configOf, needsEdgeAlarms, needsEdgeStack } from '../../lib/config.ts';
import { edgeRegion } from '../../lib/domains.ts';
import { settingsOf } from '../../lib/settings.ts';
import { namesBeside, stackNameOf } from '../../lib/stack-names.ts';
import { readStageFile } from '../../lib/stage-file.ts';
import { cdkFlags } from '../base/cdk-flags.ts';
import { synthesizedStacks } from '../base/synthesized-stacks.ts';

export type Plan = ReturnType<typeof stagePlanOf>;

/**
 * The stacks that `cdk deploy` would deploy for a stage, with their regions, by region the oldest bootstrap version that
 * they accept, and the name of the service's stack. Throws the app's error for an invalid choice. `region` is for stacks
 * without their own, and `given` the name of a stack of another app.
 */
export const stagePlanOf = (context: Readonly<Record<string, string>>, region: string, given?: string) => {
  const settings = settingsOf({ ...cdkFlags(), region, ...context }, readStageFile);
  const config = configOf(settings, region);
  const stack = given ?? stackNameOf(config);
  const version = synthesizedStacks({
    settings,
    region,
    isChecked: true,
    read: (all) => Math.max(...all.map(({ requiresBootstrapStackVersion: needed = 0 }) => needed)),
  });
  const beside = namesBeside(stack, config, given);
  const others = [
    ...(needsEdgeStack(config) ? [{ ...beside.edge, region: edgeRegion }] : []),
    ...(needsEdgeAlarms(config) ? [{ ...beside.edgeAlarms, region: edgeRegion }] : []),
    ...(config.standby ? [{ ...beside.standby, region: config.standby }] : []),
  ];
  const stacks = [
    { name: stack, region: config.region ?? region },
    ...others.map(({ id, props, region: where }) => ({ name: props.stackName ?? id, region: where })),
  ];
  const bootstraps = Object.fromEntries(stacks.map(({ region: where }) => [where, version]));
  return { bootstraps, stacks, config, stack };
};

import { App } from 'aws-cdk-lib';
import { settingsOf } from '../../../lib/settings.ts';
import { DynamicLinkStack } from '../../../lib/stack.ts';
import { stagePlanOf } from '../../../ops/preflight/plan.ts';
import { withoutTraces } from '../../support/deployment.ts';
import { testAtNight } from '../../support/nightly.ts';

/** The stacks of an app, which are only made: synthesis would take longer. */
const stacksOf = (context: Readonly<Record<string, string>>, stackName?: string) => {
  const traces = withoutTraces();
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const settings = settingsOf({ region: 'eu-west-1', ...context });
  const id = stackName ?? `DynamicLinks-${context.stage}`;
  const made = new DynamicLinkStack(app, id, { settings, ...(stackName && { stackName }) });
  traces.restore();
  return [made, made.edge, made.edgeAlarms, made.standby]
    .filter((one) => one !== undefined)
    .map(({ stackName: name, region }) => ({ name, region }));
};

testAtNight.each([
  [{ stage: 'dev' }, undefined],
  [{ stage: 'prod', standby: 'eu-central-1' }, 'acme-links'],
])('the plan of %j, named %s, has the stacks of the app', (context, name) => {
  const { stack, stacks, bootstraps } = stagePlanOf(context, 'eu-west-1', name);
  expect(stacks).toEqual(stacksOf(context, name));
  expect(stack).toBe(stacks[0]?.name);
  expect(Object.keys(bootstraps).sort()).toEqual([...new Set(stacks.map(({ region }) => region))].sort());
});

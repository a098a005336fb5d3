import { Aws, Stack, Stage } from 'aws-cdk-lib';
import fc from 'fast-check';
import { templateContexts } from '../../../bin/template-contexts.ts';
import { edgeRegion } from '../../../lib/domains.ts';
import { globalName } from '../../../lib/global-name.ts';
import type { StageSettings } from '../../../lib/settings.ts';
import { settingsOf } from '../../../lib/settings.ts';
import { DynamicLinkStack } from '../../../lib/stack.ts';
import { appWith, synthesize, withoutTraces } from '../../support/deployment.ts';
import { tooLongIn } from '../../support/name-limits.ts';
import { isNightly } from '../../support/nightly.ts';

const { 'prod on own domains': nearlyAll = {} } = templateContexts;
const longestRegion = 'ap-northeast-1';

/** The stacks in a stage of somebody's app. */
const embedded = (prefix: string, id: string, settings: StageSettings) => {
  const traces = withoutTraces();
  try {
    const app = appWith();
    const env = { account: '123456789012', region: settings.region ?? longestRegion };
    new DynamicLinkStack(new Stage(app, prefix, { env }), id, settings);
    return app.synth().stacksRecursively;
  } finally {
    traces.restore();
  }
};

const stages = fc.oneof(fc.constant('x'.repeat(40)), fc.stringMatching(/^[a-z][a-z0-9-]{11,38}[a-z0-9]$/));
const prefixes = fc.option(fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,59}$/), { nil: undefined });

test('no name of a stack is longer than AWS takes it, for any stage, region and prefix', () => {
  const regions = fc.constantFrom(longestRegion, 'eu-west-1', undefined);
  fc.assert(
    fc.property(stages, regions, prefixes, (stage, region, prefix) => {
      // A second region needs the first one's name.
      const { region: _, standby, ...all } = nearlyAll;
      const regions = region && { region, ...(region !== standby && { standby }) };
      const context = { ...all, like: 'prod', stage, ...regions };
      const settings = settingsOf(context);
      const stacks = prefix ? embedded(prefix, `Links-${stage}`, settings) : synthesize(context);
      // Without a region, prod is deployed where CloudFront's certificates are.
      const deployed = region ?? (prefix ? longestRegion : edgeRegion);
      expect(tooLongIn(stacks, { region: deployed, stage })).toEqual([]);
    }),
    {
      numRuns: isNightly ? 40 : 2,
      examples: [
        ['x'.repeat(40), longestRegion, undefined],
        ['x'.repeat(40), longestRegion, 'P'.repeat(60)],
        ['x'.repeat(28), undefined, undefined],
      ],
    },
  );
});

test('a name that fits stays as it was, and longer ones differ by stage', () => {
  const nameOfAccess = (stage: string) => {
    const stack = new Stack(appWith(), `DynamicLinks-${stage}`);
    const name = globalName(stack, { expectedRegion: 'eu-west-1' }, 'accessControl', 'WellKnown');
    return name.replace(Aws.REGION, 'eu-west-1');
  };
  // 13 characters, the stage, and 20 of region and function.
  const fits = 'x'.repeat(31);
  expect(nameOfAccess(fits)).toBe(`DynamicLinks-${fits}-eu-west-1-WellKnown`);
  const cut = ['a', 'b'].map((end) => nameOfAccess(`${fits}${'x'.repeat(8)}${end}`));
  expect(cut.map(({ length }) => length)).toEqual([64, 64]);
  expect(new Set(cut).size).toBe(2);
});

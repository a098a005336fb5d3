import { awsRegion } from '../../aws/aws-region.ts';
import { inColumns } from '../../base/columns.ts';
import { command, contextValues, wholeNumber } from '../command.ts';

export const preflightCommands = [
  command('preflight', {
    summary: "Check whether the account is ready; each line begins with 'ok', 'do' (an action) or 'look'",
    place: ['stack', 'region', 'profile'],
    options: {
      context: contextValues('a CDK context value, as you will give it to deploy; may be repeated'),
      visits: wholeNumber(
        'N',
        'the expected peak of visits a second at a launch: also checks what it needs, once the stack is deployed',
        1,
        100_000,
      ),
    },
    run: async ({ context: pairs, visits }, { place, isJson, print, fail }) => {
      const context = Object.fromEntries(pairs);
      const { preflight } = await import('../../preflight/checks.ts');
      const findings = await preflight({
        context,
        visits,
        stack: place.stack,
        region: context.region ?? awsRegion({ given: place.region, stage: context.stage ?? 'dev' }),
      });
      print(
        isJson
          ? JSON.stringify(findings)
          : inColumns(findings.map(({ name, result, says }) => [result.padEnd(4), name, says])),
      );
      if (findings.some(({ result }) => result === 'do')) fail();
      return undefined;
    },
  }),
];

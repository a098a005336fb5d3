import { inColumns } from '../../base/columns.ts';
import { UsageError } from '../../base/operator-error.ts';
import type { Estimate } from '../../cost/estimate.ts';
import type { MonthlyUsage } from '../../cost/month.ts';
import { type Context, command, contextValues, optional, wholeNumber } from '../command.ts';

export const costCommands = [
  command('cost', {
    summary:
      'Estimate what a month costs on AWS, and what the firewall and later analytics would change; from numbers that you give, or from a project',
    options: {
      visits: wholeNumber('N', 'visits of short URLs in a month; by default those of --project'),
      links: wholeNumber('N', 'links that get these visits, a few of them most (default: 1000)', 1),
      calls: wholeNumber('N', 'calls of the API in a month, by the mix of docs/cost.md (default: 0)'),
      project: optional('ID', "use this project's visits of the last thirty whole days (UTC), link by link"),
      context: contextValues(
        'a CDK context value, as you give it to deploy (default: stage=prod); may be repeated',
      ),
    },
    run: async ({ visits, links = 1000, calls = 0, project, context }, given) => {
      if ((visits === undefined) === (project === undefined))
        throw new UsageError('Give either --visits N or --project ID');
      const usage = await usageOf({ visits: visits ?? 0, links, calls, project }, given);
      const result = await estimated(usage, Object.fromEntries(context));
      if (given.isJson) return result;
      given.print(shown(result));
      return undefined;
    },
  }),
];

const estimated = async (
  usage: MonthlyUsage,
  context: Readonly<Record<string, string>>,
): Promise<Estimate> => {
  const { estimate } = await import('../../cost/estimate.ts');
  const { ofContext } = await import('../../base/context-usage.ts');
  return ofContext(() => estimate(usage, context));
};

interface Asked {
  readonly visits: number;
  readonly links: number;
  readonly calls: number;
  readonly project: string | undefined;
}

const usageOf = async (
  { visits, links, calls, project }: Asked,
  { deployment }: Context,
): Promise<MonthlyUsage> => {
  if (project !== undefined) {
    const { projectTraffic } = await import('../../cost/project-traffic.ts');
    return { ...(await projectTraffic(await deployment(), project)), calls };
  }
  const { visitsByRank } = await import('../../cost/zipf.ts');
  return { traffic: { projects: 1, groups: visits > 0 ? visitsByRank(visits, links) : [] }, links, calls };
};

const shown = ({ lines, total, changes, assumed }: Estimate): string =>
  [
    inColumns([
      ...lines.map(({ what, how, dollars }) => [amount(dollars), what, how]),
      [amount(total), 'dollars a month', ''],
    ]),
    '',
    'With another setting:',
    inColumns(changes.map(({ setting, says, dollars }) => [amount(dollars, true), setting, says])),
    '',
    ...assumed.map((one) => `${one}.`),
  ].join('\n');

const amount = (dollars: number, isChange = false): string =>
  `${isChange && dollars >= 0 ? '+' : ''}${dollars.toFixed(2)}`.padStart(9);

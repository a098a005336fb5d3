import { inColumns } from '../../base/columns.ts';
import { choice, command, flag, requiredNumber, wholeNumber } from '../command.ts';

export const costCommands = [
  command('cost', {
    summary: 'Estimate what a month of prod costs on AWS, from your own numbers',
    options: {
      visits: requiredNumber('N', 'visits of short URLs in a month', { min: 0 }),
      links: wholeNumber('N', 'stored links (default: 1000)', 1),
      calls: wholeNumber('N', 'calls of the API in a month, by the mix of docs/cost.md (default: 0)'),
      clicks: choice(
        ['hot', 'medium', 'cold'],
        'how the clicks arrive: many a second on few links, some a minute, one a day (default: medium)',
      ),
      standby: flag('with a second region'),
    },
    run: async ({ visits, links = 1000, calls = 0, clicks = 'medium', standby }, { isJson, print }) => {
      const { estimate } = await import('../../cost/month.ts');
      const result = estimate({ visits, links, calls, clicks, standby });
      if (isJson) return result;
      const { lines, total, assumed } = result;
      print(
        [
          inColumns([
            ...lines.map(({ what, how, dollars }) => [amount(dollars), what, how]),
            [amount(total), 'dollars a month', ''],
          ]),
          '',
          ...assumed.map((one) => `${one}.`),
        ].join('\n'),
      );
      return undefined;
    },
  }),
];

const amount = (dollars: number): string => dollars.toFixed(2).padStart(9);

import { batchingSecondsOf, eventBatchingSecondsOf } from '../../lib/batching.ts';
import { hundredths, type Line, sumOf } from './bill.ts';
import { type ClickUnits, clickUnits } from './click-units.ts';
import { millionEvents, millionKept, millionRows } from './extras.ts';
import type { CostInputs } from './inputs.ts';
import type { CostModel } from './month.ts';
import { byRequest, type ClickChoices, millionRedirects, starts } from './redirects.ts';

type FiguresWithin = Parameters<typeof batchingSecondsOf>[0]['figuresWithin'];
const waits: readonly FiguresWithin[] = [2, 10, 60, 300];

/** The choices of prod, without its firewall. */
const choicesOf = (inputs: CostInputs, figuresWithin: FiguresWithin = 2): ClickChoices => ({
  batchingSeconds: batchingSecondsOf({ like: 'prod', figuresWithin }),
  emittingSeconds: eventBatchingSecondsOf({ like: 'prod' }),
  hasFirewall: false,
  table: byRequest(inputs),
});

const heads = ({ spreads }: CostInputs, columns: readonly string[]): string[] => [
  `| ${[...columns, ...spreads.map(({ name }) => name)].join(' | ')} |`,
  `|${' --- |'.repeat(columns.length)}${' ---: |'.repeat(spreads.length)}`,
];

const dollars = (amounts: readonly number[]): string =>
  amounts.map((amount) => amount.toFixed(2)).join(' | ');
const bold = (amounts: readonly number[]): string =>
  amounts.map((amount) => `**${amount.toFixed(2)}**`).join(' | ');

export const spreadList = ({ spreads, ...inputs }: CostInputs): string =>
  spreads
    .map((spread) => {
      const { aggregator } = clickUnits(spread, { spreads, ...inputs }, choicesOf({ spreads, ...inputs }));
      return `- **${spread.name}**: ${spread.says}; ${hundredths(aggregator.clicksInBatch)} clicks in a batch`;
    })
    .join('\n');

/** The bill of each spread, side by side. */
export const redirectBill = ({ inputs, budget }: CostModel): string => {
  const { spreads, prices } = inputs;
  const choices = choicesOf(inputs);
  const redirects = spreads.map((spread) => millionRedirects(inputs, budget, spread, choices));
  const begun = spreads.map((spread) => starts(inputs, spread, choices));
  const running = redirects.map(sumOf);
  const all = running.map((sum, i) => sum + sumOf(begun[i] ?? []));
  return [
    ...heads(inputs, ['', '']),
    ...sideBySide(redirects),
    `| **total** | while functions run | ${bold(running)} |`,
    ...sideBySide(begun),
    `| **total with starts** | if nothing else keeps functions awake | ${bold(all)} |`,
    `| Firewall | one request each; on in prod | ${dollars(spreads.map(() => prices.firewallRequestsPerMillion))} |`,
    `| **total in prod** | | ${bold(all.map((sum) => sum + prices.firewallRequestsPerMillion))} |`,
  ].join('\n');
};

const sideBySide = (bills: readonly (readonly Line[])[]): string[] =>
  (bills[0] ?? []).map(
    ([what, how], line) => `| ${what} | ${how} | ${dollars(bills.map((one) => one[line]?.[2] ?? 0))} |`,
  );

/** The savings of longer gathering: write units of a click's analytics, and the total while functions run. */
export const waitTable = ({ inputs, budget }: CostModel): string =>
  [
    ...heads(inputs, ['`figuresWithin`', 'clicks are gathered for']),
    ...waits.map((wait) => {
      const choices = choicesOf(inputs, wait);
      const cells = inputs.spreads.map((spread) => {
        const { analyticsWrites } = clickUnits(spread, inputs, choices);
        const total = sumOf(millionRedirects(inputs, budget, spread, choices));
        return `${analyticsWrites.toFixed(2)} units, ${total.toFixed(2)}`;
      });
      return `| ${wait} | ${choices.batchingSeconds} s | ${cells.join(' | ')} |`;
    }),
  ].join('\n');

/** The cost of a million clicks' events and export. */
export const extrasTable = ({ inputs }: CostModel): string => {
  const of = (dollarsOf: (units: ClickUnits) => number) =>
    dollars(inputs.spreads.map((spread) => dollarsOf(clickUnits(spread, inputs, choicesOf(inputs)))));
  return [
    ...heads(inputs, ['']),
    `| a webhook that gets every click | ${of((units) => millionEvents(inputs, units, byRequest(inputs)))} |`,
    `| \`export=on\` | ${of((units) => millionRows(inputs, units))} |`,
    `| keeping their analytics, each month | ${of((units) => millionKept(inputs, units))} |`,
  ].join('\n');
};

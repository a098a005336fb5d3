import { readFileSync } from 'node:fs';
import path from 'node:path';
import { batchingSecondsOf } from '../../lib/batching.ts';
import { bill, hundredths, sumOf } from './bill.ts';
import { fixedOf } from './fixed.ts';
import {
  type CostInputs,
  type CostModel,
  capacityBudget,
  costInputs,
  gigabytes,
  type Spread,
} from './inputs.ts';
import {
  fixedWithStandby,
  idleMonth,
  millionCalls,
  millionCopies,
  millionKept,
  millionLinks,
  monthBill,
} from './month.ts';
import { millionRedirects, starts } from './redirects.ts';

/** docs/cost.md with its numbers, between `<!-- cost: NAME -->` and `<!-- end -->`. */
export const costPage = (): string => {
  const blocks = blocksOf({ inputs: costInputs(), budget: capacityBudget() });
  return readFileSync(path.join(import.meta.dirname, '../../docs/cost.md'), 'utf8').replaceAll(
    /(<!-- cost: (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin, name, end) => `${begin}\n${blocks[name]}\n\n${end}`,
  );
};

const blocksOf = (model: CostModel): Record<string, string> => {
  const { inputs } = model;
  const { prices, measured, example, callMix, spreads } = inputs;
  const [dev, prod] = [fixedOf({ stage: 'dev' }), fixedOf({ stage: 'prod' })];
  const spread = spreads.find(({ name }) => name === example.spread) as Spread;
  const listed = spreads.map(
    ({ name, says, perClick }) =>
      `- **${name}**: ${says}; clicks per batch: ${hundredths(1 / perClick.batches)}`,
  );
  const mix = Object.entries(callMix).map(([name, share]) => `${share * 100} % ${name}`);
  return {
    redirects: `${listed.join('\n')}\n\n${redirectBill(model)}`,
    analytics: waitTable(inputs),
    events: extrasTable(inputs),
    calls: `The mix: ${mix.join(', ')}.\n\n${bill(millionCalls(model))}\n\nFirewalls add ${prices.firewallRequestsPerMillion.toFixed(2)}.`,
    idle: `${bill(idleMonth(inputs, prod))}\n\nIn dev it is ${sumOf(idleMonth(inputs, dev)).toFixed(2)}, with ${dev.alarmMetrics} metrics and no firewalls.`,
    month: `For example ${example.visits.toLocaleString('en-US')} visits, whose clicks arrive as the ${spread.name} ones above:\n\n${bill(monthBill(model, { ...example, spread }, prod))}`,
    standby: `A [second region](standby.md) adds ${(sumOf(idleMonth(inputs, fixedWithStandby())) - sumOf(idleMonth(inputs, prod))).toFixed(2)} a month, and ${millionCopies(inputs).toFixed(2)} for a million changes of links. Visits cost the same.`,
    links: `A million links are ${gigabytes(measured.linkItemsBytes).toFixed(1)} GB with their totals: ${millionLinks(inputs).toFixed(2)} a month, recovery included.`,
  };
};

const heads = ({ spreads }: CostInputs, columns: readonly string[]): string[] => [
  `| ${[...columns, ...spreads.map(({ name }) => name)].join(' | ')} |`,
  `|${' --- |'.repeat(columns.length)}${' ---: |'.repeat(spreads.length)}`,
];

const cells = (amounts: readonly number[], mark = ''): string =>
  amounts.map((amount) => `${mark}${amount.toFixed(2)}${mark}`).join(' | ');

/** The bill of each spread, side by side. */
const redirectBill = (model: CostModel): string => {
  const { inputs } = model;
  const { spreads, prices } = inputs;
  const { startMilliseconds, idleMinutes, startShare } = inputs.assumed;
  const redirects = spreads.map((spread) => millionRedirects(model, spread));
  const begun = spreads.map((spread) => starts(inputs, spread, (spread.links * spread.clicksAnHour) / 60));
  const running = redirects.map(sumOf);
  const all = running.map((sum, i) => sum + (begun[i] ?? 0));
  const firewall = prices.firewallRequestsPerMillion;
  return [
    ...heads(inputs, ['', '']),
    ...(redirects[0] ?? []).map(
      ([what, how], i) => `| ${what} | ${how} | ${cells(redirects.map((lines) => lines[i]?.[2] ?? 0))} |`,
    ),
    `| **total** | while functions run | ${cells(running, '**')} |`,
    `| Starts of functions | ${startMilliseconds} ms each (assumed), after ${idleMinutes} minutes without a call, and for one call in ${Math.round(1 / startShare)} | ${cells(begun)} |`,
    `| **total with starts** | if nothing else keeps functions awake | ${cells(all, '**')} |`,
    `| Firewall | one request each; on in prod | ${cells(spreads.map(() => firewall))} |`,
    `| **total in prod** | | ${cells(
      all.map((sum) => sum + firewall),
      '**',
    )} |`,
  ].join('\n');
};

/** The write units of a click's analytics, by how long clicks are gathered. */
const waitTable = (inputs: CostInputs): string =>
  [
    ...heads(inputs, ['`figuresWithin`', 'clicks are gathered for']),
    ...([2, 10, 60, 300] as const).map((figuresWithin) => {
      const units = inputs.spreads.map(({ analyticsWrites }) => analyticsWrites[figuresWithin]);
      return `| ${figuresWithin} | ${batchingSecondsOf({ like: 'prod', figuresWithin })} s | ${cells(units)} |`;
    }),
  ].join('\n');

/** The cost of a million clicks' events and export: clicks of a batch share an event and a record, billed in steps. */
const extrasTable = (inputs: CostInputs): string => {
  const { prices, measured, spreads } = inputs;
  const event =
    measured.eventWrites * prices.tableWritesPerMillion +
    measured.eventMessages * prices.queueRequestsPerMillion +
    prices.functionRequestsPerMillion;
  const stepBytes = 5000;
  const rows = ({ perClick: { batches } }: Spread) =>
    gigabytes(Math.ceil(measured.rowBytes / batches / stepBytes) * stepBytes * batches) * prices.rowsGigabyte;
  return [
    ...heads(inputs, ['']),
    `| a webhook that gets every click | ${cells(spreads.map(({ perClick }) => Math.max(perClick.eventBatches, 1 / measured.clicksInEvent) * event))} |`,
    `| \`export=on\` | ${cells(spreads.map(rows))} |`,
    `| keeping their analytics, each month | ${cells(spreads.map((spread) => millionKept(inputs, spread)))} |`,
  ].join('\n');
};

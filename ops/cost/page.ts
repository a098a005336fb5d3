import { bill, type Line, sumOf } from './bill.ts';
import { type Example, exampleMonth } from './example-month.ts';
import { figureUnits, type Spread } from './figure-writes.ts';

export interface Capacity {
  readonly reads: number;
  readonly writes: number;
}

type Numbers<Name extends string> = { readonly [Key in Name]: number } & { readonly note: string };

export interface CostInputs {
  readonly prices: Numbers<
    | 'tableReadsPerMillion'
    | 'tableWritesPerMillion'
    | 'tableGigabyteMonth'
    | 'recoveryGigabyteMonth'
    | 'functionRequestsPerMillion'
    | 'functionGigabyteSecond'
    | 'apiCallsPerMillion'
    | 'edgeRequestsPerMillion'
    | 'edgeFunctionsPerMillion'
    | 'edgeGigabyteOut'
    | 'gigabyteOut'
    | 'logGigabyte'
    | 'tracesPerMillion'
    | 'firewallMonth'
    | 'firewallRuleMonth'
    | 'firewallRequestsPerMillion'
    | 'alarmMetricMonth'
    | 'secretMonth'
    | 'dashboardMonth'
  >;
  /** CloudFront's plans at a fixed price. */
  readonly plans: Numbers<'freeMillionRequests'> & { readonly list: readonly Plan[] };
  readonly measured: Numbers<
    'redirectAnswerBytes' | 'apiAnswerBytes' | 'accessLogLineBytes' | 'visitorItemBytes' | 'linkItemsBytes'
  >;
  readonly assumed: Numbers<
    | 'redirectMilliseconds'
    | 'redirectMegabytes'
    | 'apiMilliseconds'
    | 'apiMegabytes'
    | 'authorizerShare'
    | 'tracedShare'
    | 'newVisitorShare'
    | 'visitorDays'
    | 'aggregatorMilliseconds'
    | 'aggregatorMegabytes'
  >;
  /** How clicks may come, from together to alone. */
  readonly spreads: readonly Spread[];
  readonly example: Example;
  /** Shares of operations in a million calls. */
  readonly callMix: Readonly<Record<string, number>>;
}

interface Plan {
  readonly name: string;
  /** Dollars. */
  readonly month: number;
  readonly millionRequests: number;
  readonly gigabytesOut: number;
}

type Units = Readonly<Record<string, Capacity>>;

const million = 1_000_000;

const unitsOf = (units: Units, operation: string): Capacity => {
  const found = units[operation];
  if (!found) throw new Error(`Nobody has measured '${operation}'`);
  return found;
};

/** Gigabytes of a million pieces. */
const gigabytes = (bytes: number) => (bytes * million) / 1e9;

/** Dollars of a million invocations' time. */
const time = ({ prices }: CostInputs, milliseconds: number, megabytes: number) =>
  ((million * milliseconds) / 1000) * (megabytes / 1024) * prices.functionGigabyteSecond;

export const millionRedirects = (inputs: CostInputs, units: Units, spread: Spread): Line[] => {
  const { prices, measured, assumed } = inputs;
  const { reads, writes } = unitsOf(units, 'redirect');
  const figures = figureUnits(spread);
  const months = assumed.visitorDays / 30;
  const stored = gigabytes(measured.visitorItemBytes) * assumed.newVisitorShare;
  return [
    ['CloudFront requests', 'one each', prices.edgeRequestsPerMillion],
    ['CloudFront function', 'one each', prices.edgeFunctionsPerMillion],
    [
      'CloudFront data out',
      `${measured.redirectAnswerBytes} bytes each`,
      gigabytes(measured.redirectAnswerBytes) * prices.edgeGigabyteOut,
    ],
    ['Lambda requests', 'one each', prices.functionRequestsPerMillion],
    [
      'Lambda time',
      `${assumed.redirectMilliseconds} ms of ${assumed.redirectMegabytes} MB (assumed)`,
      time(inputs, assumed.redirectMilliseconds, assumed.redirectMegabytes),
    ],
    ['Table reads', `${reads} each, in units`, reads * prices.tableReadsPerMillion],
    ['Table writes', `${writes} each, in units: the click`, writes * prices.tableWritesPerMillion],
    [
      'Table writes of the figures',
      "totals and hour of its link, hour of its project; each day's sums once",
      figures.writes * prices.tableWritesPerMillion,
    ],
    [
      'Table reads of the figures',
      'when an hour begins, and to sum a day',
      figures.reads * prices.tableReadsPerMillion,
    ],
    [
      'Aggregator',
      `one request for a batch, ${assumed.aggregatorMilliseconds} ms of ${assumed.aggregatorMegabytes} MB (assumed)`,
      (prices.functionRequestsPerMillion +
        time(inputs, assumed.aggregatorMilliseconds, assumed.aggregatorMegabytes)) /
        spread.clicksInBatch,
    ],
    [
      'Visitors kept',
      `${measured.visitorItemBytes} bytes for ${assumed.visitorDays} days, ${assumed.newVisitorShare * 100} % of clicks new (assumed)`,
      stored * months * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth),
    ],
  ];
};

const millionCalls = (inputs: CostInputs, units: Units): Line[] => {
  const { prices, measured, assumed, callMix } = inputs;
  const mixed = (field: keyof Capacity) =>
    Object.entries(callMix).reduce((sum, [name, share]) => sum + share * unitsOf(units, name)[field], 0);
  const invocations = 1 + assumed.authorizerShare;
  return [
    ['API Gateway', 'one each', prices.apiCallsPerMillion],
    [
      'Lambda requests',
      `one each, and the authorizer's for ${assumed.authorizerShare * 100} % (assumed)`,
      invocations * prices.functionRequestsPerMillion,
    ],
    [
      'Lambda time',
      `${assumed.apiMilliseconds} ms of ${assumed.apiMegabytes} MB (assumed)`,
      invocations * time(inputs, assumed.apiMilliseconds, assumed.apiMegabytes),
    ],
    [
      'Table reads',
      `${round(mixed('reads'))} units each, by the mix`,
      mixed('reads') * prices.tableReadsPerMillion,
    ],
    [
      'Table writes',
      `${round(mixed('writes'))} units each, by the mix; one of them is the call's own count`,
      mixed('writes') * prices.tableWritesPerMillion,
    ],
    [
      'Access log',
      `${measured.accessLogLineBytes} bytes each`,
      gigabytes(measured.accessLogLineBytes) * prices.logGigabyte,
    ],
    ['Traces', `${assumed.tracedShare * 100} % of the calls`, assumed.tracedShare * prices.tracesPerMillion],
    [
      'Data out',
      `${measured.apiAnswerBytes} bytes each`,
      gigabytes(measured.apiAnswerBytes) * prices.gigabyteOut,
    ],
  ];
};

export interface Fixed {
  readonly alarmMetrics: number;
  readonly firewalls: number;
  /** Of all firewalls together. */
  readonly firewallRules: number;
}

/** The cost of an idle month: firewalls and alarms. */
export const idleMonth = (
  { prices }: CostInputs,
  { alarmMetrics, firewalls, firewallRules }: Fixed,
): Line[] => [
  ...(firewalls > 0
    ? [
        [
          'Firewalls',
          `${firewalls} with ${firewallRules} rules together`,
          firewalls * prices.firewallMonth + firewallRules * prices.firewallRuleMonth,
        ] as const,
      ]
    : []),
  ['Alarms', `${alarmMetrics} metrics watched`, alarmMetrics * prices.alarmMetricMonth],
  ['Dashboard', 'one', prices.dashboardMonth],
  ['Secret', 'one', prices.secretMonth],
];

/** A month of storage for a million links. */
const millionLinks = ({ prices, measured }: CostInputs): number =>
  gigabytes(measured.linkItemsBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);

/** Dollars of a million redirects that a plan at a fixed price takes the place of. */
export const edgeOfMillion = ({ prices, measured }: CostInputs): number =>
  prices.edgeRequestsPerMillion +
  prices.edgeFunctionsPerMillion +
  gigabytes(measured.redirectAnswerBytes) * prices.edgeGigabyteOut +
  prices.firewallRequestsPerMillion;

const planTable = (inputs: CostInputs): string => {
  const edge = edgeOfMillion(inputs);
  return [
    '| plan | dollars a month | million requests | GB out | the same requests by use, without the monthly price of the firewall |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...inputs.plans.list.map(
      ({ name, month, millionRequests, gigabytesOut }) =>
        `| ${name} | ${month} | ${millionRequests} | ${gigabytesOut} | ${(millionRequests * edge).toFixed(2)} |`,
    ),
  ].join('\n');
};

const round = (value: number) => String(Math.round(value * 100) / 100);

/** The same lines for each spread, side by side. */
const redirectBill = (inputs: CostInputs, units: Units): string => {
  const bills = inputs.spreads.map((spread) => millionRedirects(inputs, units, spread));
  const rows = (bills[0] ?? []).map(([what, how], line) => {
    const amounts = bills.map((bill) => (bill[line]?.[2] ?? 0).toFixed(2));
    return `| ${what} | ${how} | ${amounts.join(' | ')} |`;
  });
  const sums = bills.map((bill) => `**${sumOf(bill).toFixed(2)}**`);
  return [
    `| | | ${inputs.spreads.map(({ name }) => name).join(' | ')} |`,
    `| --- | --- |${' ---: |'.repeat(bills.length)}`,
    ...rows,
    `| **total** | | ${sums.join(' | ')} |`,
  ].join('\n');
};

const spreadNamed = ({ spreads }: CostInputs, wanted: string): Spread => {
  const found = spreads.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no spread '${wanted}'`);
  return found;
};

const spreadList = ({ spreads }: CostInputs): string =>
  spreads
    .map(
      ({ name, says, clicksInBatch, linksInBatch }) =>
        `- **${name}**: ${says}; ${counted(clicksInBatch, 'click')} on ${counted(linksInBatch, 'link')} in a batch`,
    )
    .join('\n');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The page, made of its inputs alone. */
export const costPage = (inputs: CostInputs, units: Units, fixed: Record<'dev' | 'prod', Fixed>): string => {
  const { prices, measured, assumed, callMix } = inputs;
  const month = exampleMonth(inputs.example, {
    idle: sumOf(idleMonth(inputs, fixed.prod)),
    millionRedirects: sumOf(millionRedirects(inputs, units, spreadNamed(inputs, inputs.example.spread))),
    millionCalls: sumOf(millionCalls(inputs, units)),
    millionRequestsThroughFirewalls: fixed.prod.firewalls > 0 ? prices.firewallRequestsPerMillion : 0,
    millionLinks: millionLinks(inputs),
  });
  const mix = Object.entries(callMix).map(([name, share]) => `${share * 100} % ${name}`);
  return `# Cost

Generated by \`npm run generate\` from three inputs: table units as the engine counts them on the running stack
(bench/capacity-budget.json, checked by a test), sizes and prices (docs/cost-inputs.json), and the templates. A test fails if this
page differs from them.

${prices.note}. ${assumed.note}.

## A million redirects

In dollars, by how the clicks arrive. The aggregator is the function that reads the table's stream and writes the figures. It writes
those of a batch together, so clicks that arrive together share writes:

${spreadList(inputs)}

${redirectBill(inputs, units)}

Firewalls add ${prices.firewallRequestsPerMillion.toFixed(2)}. Requests that aren't clicks (HEAD, crawlers, look-aheads) save the writes.

## A million API calls

By this mix: ${mix.join(', ')}.

${bill(millionCalls(inputs, units))}

Firewalls add ${prices.firewallRequestsPerMillion.toFixed(2)}. Table units of each operation:

| operation | reads | writes |
| --- | ---: | ---: |
${Object.entries(units)
  .map(([name, { reads, writes }]) => `| ${name} | ${reads} | ${writes} |`)
  .join('\n')}

## An idle month

### dev

${bill(idleMonth(inputs, fixed.dev))}

### prod

${bill(idleMonth(inputs, fixed.prod))}

## A month in prod

For example, with the sums above:

${bill(month)}

## CloudFront at a fixed price

CloudFront also sells plans with a fixed price per distribution. A plan includes requests, functions at the edge, data out and a
firewall. By use, these cost ${edgeOfMillion(inputs).toFixed(2)} per million redirects and the monthly price of the short URLs' firewall. Lambda, the table, the
API and the API's firewall cost the same as above.

${planTable(inputs)}

Beyond its allowance a plan costs no more; AWS may then slow responses down or ask for a larger plan. Requests that a firewall or AWS's
flood protection blocks don't count. So a plan limits the cost of a flood at the edge, but not behind it: there, \`reservedConcurrency\` limits it and
\`monthlyBudget\` warns you ([deploy](deploy.md#choices)). By use, CloudFront gives every account
${inputs.plans.freeMillionRequests} million free requests a month. This page leaves them out, like all free tiers; below that number a plan replaces little but the
firewall.

A plan fits a stack without \`ownHosts=tenants\`. It covers one distribution and names of one domain, excludes multi-tenant
distributions, and requires functions and firewalls that no other distribution uses; the template for tenants shares both.
\`shortAliases\` of other domains don't fit either. The stack doesn't subscribe: do it in CloudFront's console, or
with \`AWS::PricingPlanManager::Subscription\`, where a paid plan bills only after a call approves it.

**Not checked**: ${inputs.plans.note}.
Before you rely on it, look up prices and allowances, whether a plan allows seven behaviours, a rate rule and AWS's core
rules with some of them only counting, and how a subscription behaves when a deployment changes the distribution.

## Stored links

A million links are ${gigabytes(measured.linkItemsBytes).toFixed(1)} GB with their figures: ${millionLinks(inputs).toFixed(2)} a month, recovery included.
`;
};

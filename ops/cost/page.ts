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
    | 'figureWritesPerClick'
  >;
  /** Shares of operations in a million calls. */
  readonly callMix: Readonly<Record<string, number>>;
}

/** A line of a bill: what it is for, how it comes about, dollars. */
type Line = readonly [what: string, how: string, dollars: number];

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

export const millionRedirects = (inputs: CostInputs, units: Units): Line[] => {
  const { prices, measured, assumed } = inputs;
  const { reads, writes } = unitsOf(units, 'redirect');
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
      `${assumed.figureWritesPerClick} units a click (assumed: several clicks of a link share one write)`,
      assumed.figureWritesPerClick * prices.tableWritesPerMillion,
    ],
    [
      'Visitors kept',
      `${measured.visitorItemBytes} bytes for ${assumed.visitorDays} days, ${assumed.newVisitorShare * 100} % of clicks new (assumed)`,
      stored * months * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth),
    ],
  ];
};

export const millionCalls = (inputs: CostInputs, units: Units): Line[] => {
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

/** What two firewalls and every alarm of prod cost while nobody comes by. */
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

const round = (value: number) => String(Math.round(value * 100) / 100);

const bill = (lines: readonly Line[]): string =>
  [
    '| | | dollars |',
    '| --- | --- | ---: |',
    ...lines.map(([what, how, dollars]) => `| ${what} | ${how} | ${dollars.toFixed(2)} |`),
    `| **together** | | **${lines.reduce((sum, [, , dollars]) => sum + dollars, 0).toFixed(2)}** |`,
  ].join('\n');

/** The page, made of its inputs alone. */
export const costPage = (inputs: CostInputs, units: Units, fixed: Record<'dev' | 'prod', Fixed>): string => {
  const { prices, measured, assumed, callMix } = inputs;
  const mix = Object.entries(callMix).map(([name, share]) => `${share * 100} % ${name}`);
  const stored =
    gigabytes(measured.linkItemsBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);
  return `# Cost

Made by \`npm run cost\` of three things: units of the table as the engine counts them on the running stack
(bench/capacity-budget.json, held by a test), sizes and prices (docs/cost-inputs.json), and the templates. A test fails
when this page is not what they say.

${prices.note}. ${assumed.note}.

## A million redirects

${bill(millionRedirects(inputs, units))}

With firewalls ${prices.firewallRequestsPerMillion.toFixed(2)} more. Requests that are no click (HEAD, crawlers, look-aheads) save the writes.

## A million API calls

By this mix: ${mix.join(', ')}.

${bill(millionCalls(inputs, units))}

With firewalls ${prices.firewallRequestsPerMillion.toFixed(2)} more. The units of single operations:

| operation | reads | writes |
| --- | ---: | ---: |
${Object.entries(units)
  .map(([name, { reads, writes }]) => `| ${name} | ${reads} | ${writes} |`)
  .join('\n')}

## A month in which nothing happens

### dev

${bill(idleMonth(inputs, fixed.dev))}

### prod

${bill(idleMonth(inputs, fixed.prod))}

## Links that are kept

A million links are ${gigabytes(measured.linkItemsBytes).toFixed(1)} GB with their figures: ${stored.toFixed(2)} a month, recovery included.
`;
};

import { hundredths, type Line, sumOf } from './bill.ts';
import { type Fixed, fixedOf } from './fixed.ts';
import {
  type CostInputs,
  type CostModel,
  capacityBudget,
  costInputs,
  functionTime,
  gigabytes,
  million,
  monthSeconds,
  type OperationUnits,
  type Spread,
  unitsOf,
} from './inputs.ts';
import { millionRedirects, starts } from './redirects.ts';

export const idleMonth = ({ prices, assumed }: CostInputs, fixed: Fixed): Line[] => {
  const polls = (assumed.queuePollers * monthSeconds) / assumed.queuePollSeconds / million;
  const lines: Line[] = [
    [
      'Firewalls',
      `${fixed.firewalls} with ${fixed.firewallRules} rules together`,
      fixed.firewalls * prices.firewallMonth + fixed.firewallRules * prices.firewallRuleMonth,
    ],
    ['Alarms', `${fixed.alarmMetrics} metrics watched`, fixed.alarmMetrics * prices.alarmMetricMonth],
    ['Dashboard', 'one', fixed.dashboards * prices.dashboardMonth],
    ['Secrets', `${fixed.secrets}`, fixed.secrets * prices.secretMonth],
    [
      'Queues of clicks and of events',
      `${fixed.queues} × ${assumed.queuePollers} pollers, each polls every ${assumed.queuePollSeconds} seconds (assumed)`,
      fixed.queues * polls * prices.queueRequestsPerMillion,
    ],
  ];
  return lines.filter(([, , dollars]) => dollars > 0);
};

/** A month of storage for a million links. */
export const millionLinks = ({ prices, measured }: CostInputs): number =>
  gigabytes(measured.linkItemsBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);

/** A month of storage for the analytics over time of a million clicks. */
export const millionKept = ({ prices }: CostInputs, { perClick }: Spread): number =>
  gigabytes(perClick.keptBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);

/** The cost of a million API calls, by the mix. */
export const millionCalls = ({ inputs, budget }: CostModel): Line[] => {
  const { prices, measured, assumed, callMix } = inputs;
  const mixed = (field: keyof OperationUnits): number =>
    Object.entries(callMix).reduce((sum, [name, share]) => sum + share * unitsOf(budget, name)[field], 0);
  const [reads, writes] = [mixed('reads'), mixed('writes')];
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
      invocations * functionTime(inputs, assumed.apiMilliseconds, assumed.apiMegabytes),
    ],
    ['Table reads', `${hundredths(reads)} units each, by the mix`, reads * prices.tableReadsPerMillion],
    [
      'Table writes',
      `${hundredths(writes)} units each, by the mix; one of them is the call's own count`,
      writes * prices.tableWritesPerMillion,
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

/** The cost of copying a million changed items to a second region, each of them alone: it is sent, received and deleted. */
export const millionCopies = (inputs: CostInputs): number => {
  const { prices, assumed } = inputs;
  return (
    3 * prices.fifoRequestsPerMillion +
    prices.tableReadsPerMillion +
    prices.tableWritesPerMillion +
    prices.functionRequestsPerMillion +
    functionTime(inputs, assumed.copyMilliseconds, assumed.readerMegabytes)
  );
};

/** The fixed parts of prod with a second region. */
export const fixedWithStandby = (): Fixed =>
  fixedOf({ stage: 'prod', region: 'us-east-1', standby: 'us-west-2' });

export interface MonthlyUsage {
  /** Visits of short URLs, each of which counts as a click. */
  readonly visits: number;
  readonly spread: Spread;
  readonly links: number;
  readonly calls: number;
  /** The fixed parts with a second region; absent without one. */
  readonly standby?: Fixed | undefined;
}

/** The bill of a month in prod, with its default settings. */
export const monthBill = (model: CostModel, usage: MonthlyUsage, fixed: Fixed): Line[] => {
  const { inputs } = model;
  const { spread } = usage;
  const visits = usage.visits / million;
  const calls = usage.calls / million;
  const begun = starts(inputs, spread, usage.visits / (monthSeconds / 60));
  const lines: Line[] = [
    ['Idle month', 'everything that costs while unused', sumOf(idleMonth(inputs, fixed))],
    [
      'Redirects',
      `${whole(usage.visits)}, each a click: ${spread.name}`,
      visits * sumOf(millionRedirects(model, spread)),
    ],
    ['Starts of functions', 'where nobody calls for minutes', visits * begun],
    ['Stored analytics', 'of a year', visits * 12 * millionKept(inputs, spread)],
    ['API calls', `${whole(usage.calls)}, by the mix`, calls * sumOf(millionCalls(model))],
    [
      'Firewalls',
      'one request for each visit and call',
      (visits + calls) * inputs.prices.firewallRequestsPerMillion,
    ],
    ...secondRegion(inputs, usage, fixed),
    ['Stored links', whole(usage.links), (usage.links / million) * millionLinks(inputs)],
  ];
  return lines.filter(([, , dollars]) => dollars > 0);
};

const secondRegion = (inputs: CostInputs, { standby, calls }: MonthlyUsage, fixed: Fixed): Line[] => {
  if (!standby) return [];
  const writes = Object.entries(inputs.callMix).filter(([name]) => !/^(get|list) /.test(name));
  const changes = calls * writes.reduce((sum, [, share]) => sum + share, 0);
  const idle = sumOf(idleMonth(inputs, standby)) - sumOf(idleMonth(inputs, fixed));
  const dollars = idle + (changes / million) * millionCopies(inputs);
  return [['Second region', `while unused, and ${whole(changes)} changed links`, dollars]];
};

const whole = (count: number): string => count.toLocaleString('en-US');

/** A month's estimate, with the assumptions: prices, times and traffic. `clicks` is the name of a spread. */
export const estimate = ({
  clicks,
  standby = false,
  ...usage
}: Omit<MonthlyUsage, 'spread' | 'standby'> & {
  readonly clicks: string;
  readonly standby?: boolean | undefined;
}) => {
  const inputs = costInputs();
  const spread = inputs.spreads.find(({ name }) => name === clicks) as Spread;
  const bill = monthBill(
    { inputs, budget: capacityBudget() },
    { ...usage, spread, standby: standby ? fixedWithStandby() : undefined },
    fixedOf({ stage: 'prod' }),
  );
  return {
    assumed: [inputs.notes.prices, inputs.notes.assumed],
    lines: bill.map(([what, how, dollars]) => ({ what, how, dollars: hundredths(dollars) })),
    total: hundredths(sumOf(bill)),
  };
};

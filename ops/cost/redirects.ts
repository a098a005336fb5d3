import type { Line } from './bill.ts';
import { clickUnits, type Windows } from './click-units.ts';
import { type CostInputs, functionTime, gigabytes, type Units, unitsOf } from './inputs.ts';
import { clicksAnHour, type Traffic } from './traffic.ts';

export interface ClickChoices extends Windows {
  readonly hasFirewall: boolean;
  readonly table: TablePrices;
}

/** Dollars of a million units. */
export interface TablePrices {
  readonly reads: number;
  readonly writes: number;
}

export const byRequest = ({ prices }: Pick<CostInputs, 'prices'>): TablePrices => ({
  reads: prices.tableReadsPerMillion,
  writes: prices.tableWritesPerMillion,
});

/** The cost of a million redirects that count as clicks, without the starts of functions. */
export const millionRedirects = (
  inputs: CostInputs,
  budget: Units,
  traffic: Traffic,
  choices: ClickChoices,
): Line[] => {
  const { prices, measured, assumed } = inputs;
  const units = clickUnits(traffic, inputs, choices);
  const { table } = choices;
  const { reads, writes } = unitsOf(budget, 'redirect');
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
      functionTime(inputs, assumed.redirectMilliseconds, assumed.redirectMegabytes),
    ],
    ['Table reads: the link', `${reads} each, in units`, reads * table.reads],
    [
      'Table reads: takedowns',
      'two lists, which a container caches for 4 and 45 s',
      units.takedownReads * table.reads,
    ],
    ['Table writes: the click', `${writes} each, in units, also with ten tags`, writes * table.writes],
    [
      'Table writes: analytics',
      "the link's totals and hour, its project's hour; each day's sums once",
      units.analyticsWrites * table.writes,
    ],
    ['Table reads: analytics', 'when an hour begins, and to sum a day', units.analyticsReads * table.reads],
    [
      'Aggregator',
      `${assumed.aggregatorMilliseconds} ms for a batch, ${assumed.windowMilliseconds} at the end of a quarter of an hour with clicks (assumed)`,
      readerTime(inputs, 1 / units.aggregator.clicksInBatch, assumed.aggregatorMilliseconds) +
        readerTime(inputs, units.aggregator.windowEnds, assumed.windowMilliseconds),
    ],
    [
      'Second reader',
      `${assumed.emitterMilliseconds} ms for a batch of five seconds (assumed), and a read of the project's webhooks`,
      readerTime(inputs, units.emitter.invocations, assumed.emitterMilliseconds) +
        units.emitterReads * table.reads,
    ],
    [
      'Visitors kept',
      `${measured.visitorItemBytes} bytes for ${assumed.visitorDays} days, ${assumed.newVisitorShare * 100} % of clicks new (assumed)`,
      (stored * assumed.visitorDays * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth)) / 30,
    ],
    ...(choices.hasFirewall
      ? [['Firewall', 'one request each', prices.firewallRequestsPerMillion] as const]
      : []),
  ];
};

const readerTime = (inputs: CostInputs, invocations: number, milliseconds: number): number =>
  invocations *
  (inputs.prices.functionRequestsPerMillion +
    functionTime(inputs, milliseconds, inputs.assumed.readerMegabytes));

/**
 * The cost of function starts for a million redirects. An environment ends when it isn't called for some minutes; with
 * more traffic, few invocations start one.
 */
export const starts = (inputs: CostInputs, traffic: Traffic, windows: Windows): Line[] => {
  const { startMilliseconds, startShare, idleMinutes, redirectMegabytes, readerMegabytes } = inputs.assumed;
  const { aggregator, emitter } = clickUnits(traffic, inputs, windows);
  const clicksAMinute = clicksAnHour(traffic) / 60;
  const started = (invocations: number) =>
    invocations * Math.max(startShare, Math.exp(-clicksAMinute * invocations * idleMinutes));
  const dollars = (count: number, megabytes: number) =>
    count * functionTime(inputs, startMilliseconds, megabytes);
  return [
    [
      'Starts of the redirect',
      `${startMilliseconds} ms each (assumed), after ${idleMinutes} minutes without a visit, and for one call in ${Math.round(1 / startShare)}`,
      dollars(started(1), redirectMegabytes),
    ],
    [
      'Starts of both readers',
      'the same',
      dollars(started(aggregator.invocations) + started(emitter.invocations), readerMegabytes),
    ],
  ];
};

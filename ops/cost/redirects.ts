import type { Line } from './bill.ts';
import { type CostInputs, type CostModel, functionTime, gigabytes, type Spread, unitsOf } from './inputs.ts';

/** The cost of a million redirects that count as clicks, without the starts of functions. */
export const millionRedirects = (
  { inputs, budget }: CostModel,
  { perClick, analyticsWrites }: Spread,
): Line[] => {
  const { prices, measured, assumed } = inputs;
  const { tableReadsPerMillion: perRead, tableWritesPerMillion: perWrite } = prices;
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
    ['Table reads: the link', `${reads} each, in units`, reads * perRead],
    ['Table reads: takedowns', 'two lists, cached for 4 and 45 s', perClick.takedownReads * perRead],
    ['Table writes: the click', `${writes} each, in units, also with ten tags`, writes * perWrite],
    [
      'Table writes: analytics',
      "the link's totals and hour, its project's hour; each day's sums once",
      analyticsWrites[2] * perWrite,
    ],
    ['Table reads: analytics', 'when an hour begins, and to sum a day', perClick.analyticsReads * perRead],
    [
      'Aggregator',
      `${assumed.aggregatorMilliseconds} ms for a batch, ${assumed.windowMilliseconds} at the end of a quarter of an hour with clicks (assumed)`,
      readerTime(inputs, perClick.batches, assumed.aggregatorMilliseconds) +
        readerTime(inputs, perClick.windowEnds, assumed.windowMilliseconds),
    ],
    [
      'Second consumer',
      `${assumed.emitterMilliseconds} ms for a batch of five seconds (assumed), and a read of the project's webhooks`,
      readerTime(inputs, perClick.eventBatches, assumed.emitterMilliseconds) +
        perClick.eventBatches * perRead,
    ],
    [
      'Visitors kept',
      `${measured.visitorItemBytes} bytes for ${assumed.visitorDays} days, ${assumed.newVisitorShare * 100} % of clicks new (assumed)`,
      (stored * assumed.visitorDays * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth)) / 30,
    ],
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
export const starts = (inputs: CostInputs, { perClick }: Spread, clicksAMinute: number): number => {
  const { startMilliseconds, startShare, idleMinutes, redirectMegabytes, readerMegabytes } = inputs.assumed;
  const dollars = (invocations: number, megabytes: number) =>
    invocations *
    Math.max(startShare, Math.exp(-clicksAMinute * invocations * idleMinutes)) *
    functionTime(inputs, startMilliseconds, megabytes);
  return (
    dollars(1, redirectMegabytes) +
    dollars(perClick.batches + perClick.windowEnds, readerMegabytes) +
    dollars(perClick.eventBatches, readerMegabytes)
  );
};

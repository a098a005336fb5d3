import type { ClickUnits } from './click-units.ts';
import { type CostInputs, gigabytes } from './inputs.ts';
import type { TablePrices } from './redirects.ts';

const kilobytesOfRecord = 5;

/** The cost of exporting a million clicks: Firehose bills a batch's record in steps. */
export const millionRows = ({ prices, measured }: CostInputs, { aggregator }: ClickUnits): number => {
  const steps = Math.ceil((aggregator.clicksInBatch * measured.rowBytes) / (kilobytesOfRecord * 1000));
  const bytes = (steps * kilobytesOfRecord * 1000) / aggregator.clicksInBatch;
  return gigabytes(bytes) * prices.rowsGigabyte;
};

/** The cost of webhook events for a million clicks: those of a batch share an event. */
export const millionEvents = (
  { prices, measured }: CostInputs,
  { emitter }: ClickUnits,
  table: TablePrices,
): number => {
  const events = Math.max(emitter.projects, 1 / measured.clicksInEvent);
  return (
    events *
    (measured.eventWrites * table.writes +
      measured.eventMessages * prices.queueRequestsPerMillion +
      prices.functionRequestsPerMillion)
  );
};

/** A month of storage for the analytics over time of a million clicks. */
export const millionKept = ({ prices }: CostInputs, { keptBytes }: ClickUnits): number =>
  gigabytes(keptBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);

import { costInputs } from '../../ops/cost/inputs.ts';
import type { World } from './world.ts';

const { prices, assumed, measured } = costInputs();

/** Cost of a scenario in dollars, at list prices. */
export const costOf = ({ scenario, table, queue, fleet, firewall }: World, visits: number): number => {
  const { scale, isPrepared } = scenario;
  const gigabytes = assumed.redirectMegabytes / 1024;
  const million = scale / 1e6;
  const edge =
    prices.edgeRequestsPerMillion +
    prices.edgeFunctionsPerMillion +
    (measured.redirectAnswerBytes / 1000) * prices.edgeGigabyteOut;
  const seconds = ((fleet.billedMs + queue.workedMs) / 1000) * scale;
  const hourOfProvisioned = isPrepared ? Math.ceil(scenario.visits / 10) * 3600 : 0;
  return (
    fleet.requests * million * (edge + prices.functionRequestsPerMillion) +
    seconds * gigabytes * prices.functionGigabyteSecond +
    hourOfProvisioned * gigabytes * prices.provisionedGigabyteSecond +
    table.units.reads * million * prices.tableReadsPerMillion +
    table.units.writes * million * prices.tableWritesPerMillion +
    queue.calls * million * prices.queueRequestsPerMillion +
    (firewall ? visits * million * prices.firewallRequestsPerMillion : 0)
  );
};

import type { CostInputs } from './inputs.ts';
import { beginsFor, busyPartitions, clicksAnHour, onAverage, type Traffic } from './traffic.ts';

/** How a reader of the table's stream gathers clicks. */
export interface Gathering {
  readonly seconds: number;
  readonly most: number;
  /** An event that ends each window of so many seconds in which clicks came; 0 without. */
  readonly windowSeconds: number;
}

/** What one click is of batches, on average. */
export interface Batches {
  readonly clicksInBatch: number;
  readonly invocations: number;
  /** Of them those that end a window. */
  readonly windowEnds: number;
  /** Links in batches, and so writes of each kind of item that a link has. */
  readonly links: number;
  readonly projects: number;
}

/**
 * A batch begins with a click, and takes those that come on its shard while it gathers. Clicks come by chance, so
 * something with a share of the shard's clicks is in the batch unless neither the first click is its own nor any other.
 */
export const batchesOf = (
  traffic: Traffic,
  { seconds, most, windowSeconds }: Gathering,
  { partitions, pollSeconds }: CostInputs['assumed'],
): Batches => {
  const shards = busyPartitions(traffic, partitions);
  const aSecond = clicksAnHour(traffic) / 3600 / shards;
  const clicksInBatch = Math.min(most, 1 + aSecond * Math.max(seconds, pollSeconds));
  const gathered = (clicksInBatch - 1) / aSecond;
  const inBatches = (own: number) => {
    const share = Math.min(1, own / aSecond);
    return (1 - (1 - share) * Math.exp(-own * gathered)) / clicksInBatch / share;
  };
  const windowEnds = windowSeconds > 0 ? beginsFor(aSecond * windowSeconds) : 0;
  return {
    clicksInBatch,
    invocations: 1 / clicksInBatch + windowEnds,
    windowEnds,
    links: onAverage(traffic, (clicks) => inBatches(clicks / 3600)),
    projects: inBatches(aSecond / traffic.projects),
  };
};

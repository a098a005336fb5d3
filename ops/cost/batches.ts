import type { CostInputs } from './inputs.ts';
import { beginsFor, busyPartitions, clicksAnHour, onAverage, type Traffic } from './traffic.ts';

/** How a reader of the table's stream batches clicks. */
export interface BatchLimits {
  readonly seconds: number;
  readonly most: number;
  /** Seconds of a window, which an event ends if clicks came; 0: no windows. */
  readonly windowSeconds: number;
}

/** The average share of a click in batches. */
export interface Batches {
  readonly clicksInBatch: number;
  readonly invocations: number;
  /** Batches that end a window. */
  readonly windowEnds: number;
  /** Links in batches, and so writes of each kind of item that a link has. */
  readonly links: number;
  readonly projects: number;
}

/**
 * The batches of a shard. A batch begins with a click and takes those that come while it gathers. Clicks are random, so
 * a link with a share of the clicks is in the batch unless all of the batch's clicks are others'.
 */
export const batchesOf = (
  traffic: Traffic,
  { seconds, most, windowSeconds }: BatchLimits,
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

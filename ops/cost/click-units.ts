import { daysAtOnce } from '../../core/analytics/closed-days.ts';
import { memoryTimes } from '../../core/cached-reads/visitor-reads.ts';
import { mostInBatch, windowSeconds } from '../../lib/batching.ts';
import { type Batches, batchesOf } from './batches.ts';
import type { CostInputs } from './inputs.ts';
import { type HourItem, type ItemSizes, itemSizes, readUnitsOf, writeUnitsOf } from './item-sizes.ts';
import { beginsFor, clicksAnHour, onAverage, type Traffic } from './traffic.ts';

/** Seconds for which each reader of the stream gathers. */
export interface Windows {
  readonly batchingSeconds: number;
  readonly emittingSeconds: number;
}

/** Table units of a click in addition to the redirect's read and write, and its share of the readers' batches. */
export interface ClickUnits {
  readonly aggregator: Batches;
  readonly emitter: Batches;
  readonly analyticsWrites: number;
  readonly analyticsReads: number;
  /** Webhooks of its project, once for each batch. */
  readonly emitterReads: number;
  /** Reads of the takedowns' lists, which containers cache. */
  readonly takedownReads: number;
  /** Stored bytes of its analytics over time. */
  readonly keptBytes: number;
}

export const clickUnits = (
  traffic: Traffic,
  inputs: CostInputs,
  { batchingSeconds, emittingSeconds }: Windows,
): ClickUnits => {
  const { assumed } = inputs;
  const aggregator = batchesOf(
    traffic,
    { seconds: batchingSeconds, windowSeconds, most: mostInBatch.aggregating },
    assumed,
  );
  const emitter = batchesOf(
    traffic,
    { seconds: emittingSeconds, windowSeconds: 0, most: mostInBatch.emitting },
    assumed,
  );
  const sizes = itemSizes(traffic, inputs);
  const days = closedDays(traffic, sizes);
  const hourOfLink = onAverage(traffic, (clicks) => unitsWithin((share) => sizes.ofLink(clicks * share)));
  return {
    aggregator,
    emitter,
    analyticsWrites:
      aggregator.links * (writeUnitsOf(sizes.totals) + hourOfLink) +
      aggregator.projects * onItems(sizes, (item) => unitsWithin((share) => sizes.ofProject(item, share))) +
      onAverage(traffic, (clicks) => beginsFor(clicks * assumed.shardHours)) / sizes.marksAtOnce +
      days.writes,
    analyticsReads: days.reads,
    emitterReads: emitter.projects,
    takedownReads: takedownReads(traffic, assumed),
    keptBytes: days.keptBytes,
  };
};

/** Bytes that DynamoDB adds to each stored item. */
const indexBytes = 100;

const parts = 24;
/** Average units of a write over the hour in which its item grows. */
const unitsWithin = (bytesAt: (share: number) => number): number =>
  Array.from({ length: parts }, (_, part) => writeUnitsOf(bytesAt((part + 0.5) / parts))).reduce(
    (sum, units) => sum + units,
  ) / parts;

const onItems = ({ hourItems }: ItemSizes, of: (item: HourItem) => number): number =>
  hourItems.reduce((sum, item) => sum + item.share * of(item), 0);

/** A click's share of the units of closing days. */
const closedDays = (traffic: Traffic, sizes: ItemSizes) => {
  const ofLinks = (of: (days: Days) => number) =>
    onAverage(traffic, (clicks) => of(daysOfLink(clicks, sizes)));
  const ofProject = daysOfProject(clicksAnHour(traffic) / traffic.projects, sizes);
  return {
    writes: ofLinks(writesOf) + writesOf(ofProject),
    reads: ofLinks(readsOf) + readsOf(ofProject),
    keptBytes: ofLinks(keptOf) + keptOf(ofProject),
  };
};

/** Average numbers of hour and day items that a click begins, and of closings. */
interface Days {
  readonly hours: number;
  readonly hourBytes: number;
  readonly days: number;
  readonly dayBytes: readonly number[];
  readonly sums: number;
  /** Bytes of the item with the boundary. */
  readonly boundaryBytes: number;
}

/** Closings per click: each waits for the first click of an hour after this many days are over. */
const sumsFor = (clicksOfDay: number, daysTogether: number): number => 1 / (daysTogether * clicksOfDay + 1);

const daysOfLink = (clicks: number, sizes: ItemSizes): Days => ({
  hours: beginsFor(clicks),
  hourBytes: sizes.ofLink(clicks),
  days: beginsFor(clicks * 24),
  dayBytes: [sizes.ofLink(clicks * 24)],
  sums: sumsFor(clicks * 24, daysAtOnce.link),
  boundaryBytes: sizes.totals,
});

const daysOfProject = (clicks: number, sizes: ItemSizes): Days => ({
  hours: onItems(sizes, (item) => beginsFor(sizes.clicksOfItem(item))),
  hourBytes: onItems(sizes, (item) => sizes.ofProject(item, 1)),
  days: beginsFor(clicks * 24),
  dayBytes: [sizes.ofLink(clicks * 24), sizes.byLink],
  sums: sumsFor(clicks * 24, daysAtOnce.project),
  boundaryBytes: 0,
});

const writesOf = ({ days, dayBytes, sums, boundaryBytes }: Days): number =>
  days * dayBytes.reduce((units, bytes) => units + writeUnitsOf(bytes), 0) +
  sums * writeUnitsOf(boundaryBytes);

/** Read units: each new hour item reads the boundary, and a closing reads the hours since the last one. */
const readsOf = ({ hours, hourBytes, sums }: Days): number =>
  hours + sums * readUnitsOf((hours / sums) * hourBytes);

const keptOf = ({ hours, hourBytes, days, dayBytes }: Days): number =>
  hours * (hourBytes + indexBytes) + days * dayBytes.reduce((sum, bytes) => sum + bytes + indexBytes, 0);

/** Read units of an empty, eventually consistent query. */
const listReads = 0.5;

const takedownReads = (traffic: Traffic, { redirectMilliseconds }: CostInputs['assumed']): number => {
  const aSecond = clicksAnHour(traffic) / 3600;
  const containers = Math.max(1, (2 * aSecond * redirectMilliseconds) / 1000);
  return [memoryTimes.suspension, memoryTimes.blocking].reduce(
    (sum, kept) => sum + listReads / (1 + (aSecond / containers) * (kept / 1000)),
    0,
  );
};

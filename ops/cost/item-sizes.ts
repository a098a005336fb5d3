import { groupPrefixes, nameLimits } from '../../core/analytics/analytics.ts';
import { itemsOfHour } from '../../core/analytics/analytics-items.ts';
import { keptHours } from '../../core/analytics/watermarks.ts';
import type { CostInputs, Names } from './inputs.ts';
import { busyPartitions, clicksAnHour, countOfLinks, onLinks, type Traffic } from './traffic.ts';

const unit = 1024;
/** Kilobytes of a unit of consistent reads. */
const kilobytesRead = 4;

export const writeUnitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / unit));
export const readUnitsOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / (kilobytesRead * unit)));

/** Bytes of the names in an item after this many clicks. */
const bytesOf = (kinds: readonly Names[], clicks: number): number =>
  kinds.reduce((sum, { names, bytes }) => sum + bytes * names * (1 - (1 - 1 / names) ** clicks), 0);

const mostLinks = nameLimits.find(({ prefix }) => prefix === groupPrefixes.links)?.most ?? 0;

/** The number of shards that add to an item of a project's hour, and the share of writes to such items. */
export interface HourItem {
  readonly share: number;
  readonly shards: number;
}

/** The distribution of shards over an hour's items, which is random. */
const hourItems = (shards: number): HourItem[] => {
  const others = shards - 1;
  const chance = 1 / itemsOfHour;
  let ways = 1;
  return Array.from({ length: shards }, (_, more) => {
    const share = ways * chance ** more * (1 - chance) ** (others - more);
    ways = (ways * (others - more)) / (more + 1);
    return { share, shards: more + 1 };
  });
};

/** Sizes in bytes of the items of analytics, which determine units. */
export interface ItemSizes {
  /** A link's totals with all names. */
  readonly totals: number;
  /** Marks of former shards that one write removes. */
  readonly marksAtOnce: number;
  /** An item of a link's hour or day after this many clicks. */
  readonly ofLink: (clicks: number) => number;
  /** The items of a project's hour, by how many shards add to them. */
  readonly hourItems: readonly HourItem[];
  /** Clicks of such an item in an hour. */
  readonly clicksOfItem: (item: HourItem) => number;
  /** Bytes of such an item after this share of the hour. */
  readonly ofProject: (item: HourItem, share: number) => number;
  /** A project's day by link. */
  readonly byLink: number;
}

export const itemSizes = (traffic: Traffic, { measured, assumed, visitors }: CostInputs): ItemSizes => {
  const { hourBytes, watermarkBytes, linkNameBytes } = measured;
  const inHours = [...visitors.inTotals, ...visitors.inHours];
  const shards = Math.round(busyPartitions(traffic, assumed.partitions));
  const clicks = clicksAnHour(traffic) / traffic.projects;
  const links = countOfLinks(traffic) / traffic.projects;
  const linkNames = (share: number, hours: number) => {
    const named = links * onLinks(traffic, (each) => -Math.expm1(-each * hours)) * share;
    return linkNameBytes * Math.min(mostLinks, Math.max(1, named));
  };
  const clicksOfItem = (item: HourItem) => (clicks * item.shards) / shards;
  const totals =
    hourBytes +
    (1 + keptHours / assumed.shardHours) * watermarkBytes +
    bytesOf(visitors.inTotals, Number.POSITIVE_INFINITY);
  const room = Math.floor((writeUnitsOf(totals) * unit - totals) / watermarkBytes);
  return {
    totals,
    marksAtOnce: 1 + room,
    ofLink: (some) => hourBytes + watermarkBytes + bytesOf(inHours, Math.max(1, some)),
    hourItems: hourItems(shards),
    clicksOfItem,
    ofProject: (item, share) =>
      hourBytes +
      item.shards * watermarkBytes +
      bytesOf([...inHours, ...visitors.inProjects], Math.max(1, clicksOfItem(item) * share)) +
      linkNames(item.shards / shards, share),
    byLink: hourBytes + linkNames(1, 24),
  };
};

import { analyticsKey, hourKey, type Owner } from '../table/analytics-keys.ts';
import type { Key } from '../table/keys.ts';
import { type Amounts, Tally } from './amounts.ts';
import { analyticsNames, groupPrefixes } from './analytics.ts';
import type { ClickRecord } from './click-record.ts';
import { dimensionList, isIncluded } from './dimensions.ts';
import { readDigits } from './positions.ts';
import { hourOf, watermarkOf } from './watermarks.ts';

/** Records of one shard that add to one item. Their order and positions are meaningful only in the shard. */
export interface ItemRecords {
  /** The shard's id, with the stream's ARN. */
  readonly shard: string;
  readonly key: Key;
  readonly owner: Owner;
  /** The hour in UTC, counted from the epoch; undefined for totals. */
  readonly hour: number | undefined;
  readonly records: readonly ClickRecord[];
  readonly retentionDays?: number | undefined;
}

/** Records of any links, in their shard's order. */
export type ShardRecords = Pick<ItemRecords, 'shard' | 'records'>;

/** All items that records add to: totals and hours of links, and hours of projects. */
export const analyticsItemsOf = ({ shard, records }: ShardRecords, retentionDays?: number): ItemRecords[] => {
  const items = new Map<string, ItemRecords & { records: ClickRecord[] }>();
  const add = (record: ClickRecord, owner: Owner, hour?: number) => {
    const key = hour === undefined ? totalsKey(record, shard) : hourItemKey(owner, hour, watermarkOf(shard));
    const name = `${key.PK} ${key.SK}`;
    const item = items.get(name) ?? { shard, key, owner, hour, records: [], retentionDays };
    items.set(name, item);
    item.records.push(record);
  };
  for (const record of records) {
    const { project, code, clicks } = record;
    const hour = hourOf(record.at);
    if (clicks > 0) add(record, { project, code });
    add(record, { project, code }, hour);
    add(record, { project }, hour);
  }
  return [...items.values()];
};

/**
 * Number of items for an hour. Every shard stores a watermark, and all shards of a large table may write a project's
 * hour once a second: in one item, write units would grow with the square of the table's partitions. Links without
 * groups of visitors have one shard at a time, so one item.
 */
const itemsOfHour = 8;

/** Number of items for totals of a link with groups. They have watermarks of a day, so there are more of them. */
const itemsOfTotals = 16;

/** The key of the hour's item to which a shard adds, by its watermark's name. */
export const hourItemKey = (owner: Owner, hour: number, watermark: string): Key =>
  hourKey(owner, hour, itemNumber(watermark, itemsOfHour));

/** Keys of further totals of a link with groups of visitors. */
export const totalsKeys = (owner: Owner): Key[] =>
  Array.from({ length: itemsOfTotals }, (_, i) => analyticsKey(owner, i));

const totalsKey = ({ project, code, isGrouped }: ClickRecord, shard: string): Key =>
  analyticsKey({ project, code }, isGrouped ? itemNumber(watermarkOf(shard), itemsOfTotals) : undefined);

const itemNumber = (watermark: string, items: number): number =>
  Number(readDigits(watermark.slice(-2))) % items;

/** The amounts that records add to an item. */
export const amountsOf = (
  { owner, hour }: Pick<ItemRecords, 'owner' | 'hour'>,
  records: readonly ClickRecord[],
): Amounts => {
  const counts = new Tally();
  for (const { clicks, unique, opens, firstOpens, ...record } of records) {
    counts.add(analyticsNames.clicks, clicks);
    counts.add(analyticsNames.uniques, unique ? 1 : 0);
    for (const dimension of dimensionList) {
      const { field, prefix, ownPrefix, inTotals, ofLinks } = dimension;
      const isKept = (hour !== undefined || inTotals) && !(ofLinks && owner.code === undefined);
      const isOwn = owner.code !== undefined && record.own.includes(prefix);
      if (isKept && isIncluded(dimension, record[field]))
        counts.add(((isOwn && ownPrefix) || prefix) + record[field], clicks);
    }
    if (hour === undefined) continue;
    counts.add(analyticsNames.opens, opens);
    counts.add(analyticsNames.firstOpens, firstOpens);
    if (owner.code !== undefined) continue;
    counts.add(groupPrefixes.links + record.code, clicks);
    for (const tag of record.tags) counts.add(groupPrefixes.tags + tag, clicks);
  }
  return counts;
};

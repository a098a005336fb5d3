import { figuresKey, hourKey, type Owner } from '../table/figure-keys.ts';
import type { Key } from '../table/keys.ts';
import { type Amounts, Tally } from './amounts.ts';
import { readDigits } from './click.ts';
import type { ClickRecord } from './click-record.ts';
import { figureNames, groupPrefixes } from './figures.ts';
import { isSaid, splitList } from './splits.ts';
import { hourOf, watermarkOf } from './watermarks.ts';

/** Records of one shard that add to one item. Their order and their positions mean something only in the shard. */
export interface ItemRecords {
  /** Names the shard and the life of the stream that it belongs to. */
  readonly shard: string;
  readonly key: Key;
  readonly owner: Owner;
  /** Of UTC, from the epoch on; undefined for totals. */
  readonly hour: number | undefined;
  readonly records: readonly ClickRecord[];
  readonly retentionDays?: number | undefined;
}

/** Records of any links, in the order of their shard. */
export type ShardRecords = Pick<ItemRecords, 'shard' | 'records'>;

/** Every item that records add to: the totals and hours of their links, and the hours of their projects. */
export const figureItemsOf = ({ shard, records }: ShardRecords, retentionDays?: number): ItemRecords[] => {
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
 * Items of an hour. Every shard leaves a watermark, and all shards of a large table may write the hour of one project
 * once a second: in one item, the units of a second would grow with the square of the table's partitions. Links
 * without groups of visitors have one shard at a time, and so one item.
 */
export const itemsOfHour = 8;

/** Items of the totals of a link that every shard may write. They have the watermarks of a day, so they are more. */
const itemsOfTotals = 16;

/** The item of an hour to which a shard adds, by the name of its watermark. */
export const hourItemKey = (owner: Owner, hour: number, watermark: string): Key =>
  hourKey(owner, hour, itemNumber(watermark, itemsOfHour));

/** The further items of the totals of a link whose visitors are in groups. */
export const totalsKeys = (owner: Owner): Key[] =>
  Array.from({ length: itemsOfTotals }, (_, i) => figuresKey(owner, i));

const totalsKey = ({ project, code, isGrouped }: ClickRecord, shard: string): Key =>
  figuresKey({ project, code }, isGrouped ? itemNumber(watermarkOf(shard), itemsOfTotals) : undefined);

const itemNumber = (watermark: string, items: number): number =>
  Number(readDigits(watermark.slice(-2))) % items;

/** What records add to an item. */
export const amountsOf = (
  { owner, hour }: Pick<ItemRecords, 'owner' | 'hour'>,
  records: readonly ClickRecord[],
): Amounts => {
  const counts = new Tally();
  for (const { clicks, unique, opens, firstOpens, ...record } of records) {
    counts.add(figureNames.clicks, clicks);
    counts.add(figureNames.uniques, unique ? 1 : 0);
    for (const split of splitList) {
      const { field, prefix, ownPrefix, inTotals, ofLinks } = split;
      const isKept = (hour !== undefined || inTotals) && !(ofLinks && owner.code === undefined);
      const isOwn = owner.code !== undefined && record.own.includes(prefix);
      if (isKept && isSaid(split, record[field]))
        counts.add(((isOwn && ownPrefix) || prefix) + record[field], clicks);
    }
    if (hour === undefined) continue;
    counts.add(figureNames.opens, opens);
    counts.add(figureNames.firstOpens, firstOpens);
    if (owner.code !== undefined) continue;
    counts.add(groupPrefixes.links + record.code, clicks);
    for (const tag of record.tags) counts.add(groupPrefixes.tags + tag, clicks);
  }
  return counts;
};

import { figuresKey, type Key, type SeriesUnit } from '../table/keys.ts';
import { type Amounts, Counts, firstPortion } from './amounts.ts';
import type { ClickRecord } from './click.ts';
import { figureNames, groupPrefixes, type Owner } from './figures.ts';

/** What happened in one hour of UTC; `hour` counts from the epoch. */
export interface HourAmounts {
  readonly hour: number;
  readonly amounts: Amounts;
}

/** Records of one shard that add to one item. Their order and their positions mean something only in the shard. */
export interface ItemRecords {
  /** Names the shard and the life of the stream that it belongs to. */
  readonly shard: string;
  readonly key: Key;
  readonly owner: Owner;
  /** At least one. */
  readonly records: readonly ClickRecord[];
  readonly retentionDays?: number | undefined;
}

export interface Addition {
  readonly shard: string;
  /** Of any links, in the shard's order. */
  readonly records: readonly ClickRecord[];
  /** For how many days figures over time are kept, but for the days of projects. */
  readonly retentionDays?: number | undefined;
}

/** Every item that records add to: the figures of their links, and of their projects. */
export const itemsOf = ({ shard, records, retentionDays }: Addition): ItemRecords[] => {
  const items = new Map<string, ItemRecords & { records: ClickRecord[] }>();
  for (const record of records) {
    for (const owner of [{ project: record.project, code: record.code }, { project: record.project }]) {
      const key = figuresKey(owner);
      const item = items.get(key.PK) ?? { shard, key, owner, records: [], retentionDays };
      items.set(key.PK, item);
      item.records.push(record);
    }
  }
  return [...items.values()];
};

const countTotals = ({ clicks, unique, platform, country }: ClickRecord, counts: Counts) => {
  counts.add(figureNames.clicks, clicks);
  counts.add(figureNames.uniques, unique ? 1 : 0);
  counts.add(groupPrefixes.platforms + platform, clicks);
  counts.add(groupPrefixes.countries + country, clicks);
};

/** What records add to the totals. Only links have them; a project's are the sum of its days. */
export const totalsOf = (records: readonly ClickRecord[], { code }: Owner): Amounts => {
  const counts = new Counts();
  if (code !== undefined) for (const record of records) countTotals(record, counts);
  return counts;
};

const hourSeconds = 3600;

/** As many of the first records as one update can add. */
export const firstRecords = (records: readonly ClickRecord[], owner: Owner): readonly ClickRecord[] =>
  firstPortion(records, (record) => hoursOf([record], owner).flatMap(({ amounts }) => [...amounts.keys()]));

/** What records add to hours, the oldest first. */
export const hoursOf = (records: readonly ClickRecord[], { code }: Owner): HourAmounts[] => {
  const hours = new Map<number, Counts>();
  for (const record of records) {
    const hour = Math.floor(record.at / hourSeconds);
    const counts = hours.get(hour) ?? new Counts();
    hours.set(hour, counts);
    const { clicks, referrer, browser, os, trigger, opens, firstOpens } = record;
    countTotals(record, counts);
    counts.add(groupPrefixes.referrers + referrer, clicks);
    counts.add(groupPrefixes.browsers + browser, clicks);
    counts.add(groupPrefixes.os + os, clicks);
    counts.add(groupPrefixes.triggers + trigger, clicks);
    counts.add(figureNames.opens, opens);
    counts.add(figureNames.firstOpens, firstOpens);
    if (code === undefined) counts.add(groupPrefixes.links + record.code, clicks);
  }
  return [...hours].map(([hour, amounts]) => ({ hour, amounts })).sort((one, other) => one.hour - other.hour);
};

export const seriesUnits: readonly SeriesUnit[] = ['day', 'dayByLink', 'hour'];

/** What an hour's amounts add to an item: a project's day has its clicks by link in another item, for few who ask. */
export const partOf = (unit: SeriesUnit, amounts: Amounts, { code }: Owner): Amounts => {
  if (unit === 'hour' || code !== undefined) return unit === 'dayByLink' ? new Map() : amounts;
  const isByLink = (name: string) => name.startsWith(groupPrefixes.links);
  return new Map([...amounts].filter(([name]) => isByLink(name) === (unit === 'dayByLink')));
};

import { figuresKey, type Key, seriesKey } from '../table/keys.ts';
import type { ClickRecord } from './click.ts';
import { figureNames, groupPrefixes } from './figures.ts';

/** Attributes of an item and their increments. */
export type Amounts = ReadonlyMap<string, number>;

/** Records of one shard that add to one item. Their order and their positions mean something only in the shard. */
export interface ItemRecords {
  /** Names the shard and the life of the stream that it belongs to. */
  readonly shard: string;
  readonly key: Key;
  /** At least one. */
  readonly records: readonly ClickRecord[];
  /** What some of the records add. */
  readonly amounts: (records: readonly ClickRecord[]) => Amounts;
  /** When the item may go, in epoch seconds; it stays if nothing is said. */
  readonly ttl?: number;
}

export interface Addition {
  readonly shard: string;
  /** Of any links, in the shard's order. */
  readonly records: readonly ClickRecord[];
  /** For how many days figures over time are kept, but for the days of projects. */
  readonly retentionDays?: number | undefined;
}

const daySeconds = 86_400;

/** Every item that records add to: the totals of links, and days and hours of links and projects. */
export const itemsOf = ({ shard, records, retentionDays }: Addition): ItemRecords[] => {
  const items = new Map<string, ItemRecords & { records: ClickRecord[] }>();
  const add = (record: ClickRecord, item: Omit<ItemRecords, 'shard' | 'records'>) => {
    const name = `${item.key.PK} ${item.key.SK}`;
    const known = items.get(name) ?? { ...item, shard, records: [] };
    items.set(name, known);
    known.records.push(record);
  };
  for (const record of records) {
    const { project, code, at, clicks } = record;
    const start = new Date(at * 1000).toISOString();
    if (clicks > 0) add(record, { key: figuresKey(project, code), amounts: totals });
    for (const span of ['day', 'hour'] as const) {
      const ttl =
        retentionDays === undefined
          ? undefined
          : (Math.floor(at / daySeconds) + 1 + retentionDays) * daySeconds;
      const kept = ttl === undefined ? {} : { ttl };
      add(record, { key: seriesKey(span, start, project, code), amounts: ofLink, ...kept });
      // Days of a project add up to its clicks of all time, so they stay.
      const projectKept = span === 'day' ? {} : kept;
      add(record, { key: seriesKey(span, start, project), amounts: ofProject, ...projectKept });
    }
  }
  return [...items.values()];
};

type Count = (attribute: string, amount: number) => void;

const adding =
  (record: (record: ClickRecord, count: Count) => void) =>
  (records: readonly ClickRecord[]): Amounts => {
    const amounts = new Map<string, number>();
    const count: Count = (attribute, amount) => {
      if (amount > 0) amounts.set(attribute, (amounts.get(attribute) ?? 0) + amount);
    };
    for (const one of records) record(one, count);
    return amounts;
  };

const countTotals = ({ clicks, unique, platform, country }: ClickRecord, count: Count) => {
  count(figureNames.clicks, clicks);
  count(figureNames.uniques, unique ? 1 : 0);
  count(groupPrefixes.platforms + platform, clicks);
  count(groupPrefixes.countries + country, clicks);
};

const countSeries = (record: ClickRecord, count: Count) => {
  const { clicks, referrer, browser, os, trigger, opens, firstOpens } = record;
  countTotals(record, count);
  count(groupPrefixes.referrers + referrer, clicks);
  count(groupPrefixes.browsers + browser, clicks);
  count(groupPrefixes.os + os, clicks);
  count(groupPrefixes.triggers + trigger, clicks);
  count(figureNames.opens, opens);
  count(figureNames.firstOpens, firstOpens);
};

const totals = adding(countTotals);
const ofLink = adding(countSeries);
const ofProject = adding((record, count) => {
  countSeries(record, count);
  count(groupPrefixes.links + record.code, record.clicks);
});

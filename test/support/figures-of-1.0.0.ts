import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dayMs } from '../../core/base/durations.ts';
import type { ClickRecord } from '../../core/figures/click-record.ts';
import { groupPrefixes } from '../../core/figures/figures.ts';
import { type SeriesFigures, seriesStore } from '../../core/figures/series-store.ts';
import { noValues } from '../../core/figures/splits.ts';
import type { Owner } from '../../core/table/figure-keys.ts';
import { figuresKey } from '../../core/table/figure-keys.ts';
import type { Item, Table } from '../../core/table/table.ts';

export interface Delivery {
  readonly shard: string;
  readonly records: readonly ClickRecord[];
}

/**
 * Every item that version 1.0.0 (commit 48d886f) wrote for these deliveries, with 30 days of retention: a link that waits
 * unsettled for weeks, links that are settled often, and clicks of the last minutes. Its figure store wrote them.
 */
export const left: {
  readonly now: string;
  readonly items: readonly Item[];
  readonly deliveries: readonly Delivery[];
} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../ops/upgrade/figures-1.0.0.json'), 'utf8'),
  // Of splits that version 1.0.0 did not know, a click is read as one that says nothing.
  (name, value) => (name === 'records' ? value.map((record: object) => ({ ...noValues, ...record })) : value),
);
export const now = Date.parse(left.now);
export const project = 'shop';
const owners: readonly Owner[] = [
  { project },
  ...['launch', 'quiet', 'second', 'fresh'].map((code) => ({ project, code })),
];
type Counts = Record<string, number>;

/** By day and hour, under the names of the table's attributes. */
const truthOf = (deliveries: readonly Delivery[], { code }: Owner): Record<string, Counts> => {
  const spans: Record<string, Counts> = {};
  for (const record of deliveries.flatMap(({ records }) => records)) {
    if (code !== undefined && record.code !== code) continue;
    const time = new Date(record.at * 1000).toISOString();
    for (const span of [time.slice(0, 10), time.slice(0, 13)]) {
      spans[span] ??= {};
      const counts = spans[span];
      const add = (name: string, n: number) => {
        if (n > 0) counts[name] = (counts[name] ?? 0) + n;
      };
      add('n', record.clicks);
      add('u', record.unique ? 1 : 0);
      add('e', record.opens);
      add('f', record.firstOpens);
      const { platform, country, referrer, browser, os, trigger } = record;
      for (const [i, name] of [platform, country, referrer, browser, os, trigger].entries())
        add(`${'pcrbot'[i]}#${name}`, record.clicks);
      if (code === undefined) add(`l#${record.code}`, record.clicks);
    }
  }
  return spans;
};

const countsOf = ({ clicks, uniqueClicks, opens, firstOpens, groups }: SeriesFigures): Counts => {
  const counts = Object.entries({ n: clicks, u: uniqueClicks, e: opens, f: firstOpens });
  for (const [group, prefix] of Object.entries(groupPrefixes))
    for (const [name, n] of Object.entries(groups(group as keyof typeof groupPrefixes)))
      counts.push([prefix + name, n]);
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
};

const shownTo = async (table: Table, owner: Owner, at: number): Promise<Record<string, Counts>> => {
  const spans: Record<string, Counts> = {};
  for (const unit of ['day', 'dayByLink', 'hour'] as const) {
    const range = { unit, start: now - 60 * dayMs, end: now + 60 * dayMs };
    const found = await seriesStore(table).find(
      owner,
      [
        {
          ...range,
          start: Math.floor(range.start / dayMs) * dayMs,
          end: Math.floor(range.end / dayMs) * dayMs,
        },
      ],
      new Date(at),
    );
    for (const figures of found) {
      const name = new Date(figures.start).toISOString().slice(0, unit === 'hour' ? 13 : 10);
      spans[name] = { ...spans[name], ...countsOf(figures) };
    }
  }
  return spans;
};

/** Every day and hour of every owner shows what was delivered, at that time. */
export const expectExact = async (
  table: Table,
  deliveries: readonly Delivery[],
  at: number,
): Promise<void> => {
  for (const owner of owners) {
    expect([owner, await shownTo(table, owner, at)]).toEqual([owner, truthOf(deliveries, owner)]);
    if (owner.code === undefined) continue;
    const truth = deliveries
      .flatMap(({ records }) => records)
      .filter(({ code }) => code === owner.code)
      .reduce((sum, { clicks }) => sum + clicks, 0);
    expect((await table.get(figuresKey(owner)))?.n).toBe(truth);
  }
};

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fillTable } from '../../../bench/fill-table.ts';
import { dayMs, hourMs } from '../../../core/base/durations.ts';
import type { ClickRecord } from '../../../core/figures/click.ts';
import { itemsOf } from '../../../core/figures/figure-items.ts';
import { figureStore } from '../../../core/figures/figure-store.ts';
import { groupPrefixes, type Owner } from '../../../core/figures/figures.ts';
import { type SeriesFigures, seriesStore } from '../../../core/figures/series-store.ts';
import { noValues } from '../../../core/figures/splits.ts';
import { figuresKey } from '../../../core/table/figure-keys.ts';
import type { Item } from '../../../core/table/table.ts';
import { settleFigures } from '../../../ops/upgrade/settle.ts';
import { settleOwner } from '../../../ops/upgrade/settled-owner.ts';
import { aClickRecord } from '../../support/builders.ts';
import { startTable, type TestTable, tableName } from '../../support/engine.ts';

interface Delivery {
  readonly shard: string;
  readonly records: readonly ClickRecord[];
}

/**
 * Every item that version 1.0.0 (commit 48d886f) wrote for these deliveries, with 30 days of retention: a link that waits
 * unsettled for weeks, links that are settled often, and clicks of the last minutes. Its figure store wrote them.
 */
const left: {
  readonly now: string;
  readonly items: readonly Item[];
  readonly deliveries: readonly Delivery[];
} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'figures-1.0.0.json'), 'utf8'),
  // Of splits that version 1.0.0 did not know, a click is read as one that says nothing.
  (name, value) => (name === 'records' ? value.map((record: object) => ({ ...noValues, ...record })) : value),
);
const now = Date.parse(left.now);
const project = 'shop';
const owners: readonly Owner[] = [
  { project },
  ...['launch', 'quiet', 'second', 'fresh'].map((code) => ({ project, code })),
];
const retentionDays = 30;

let db: TestTable;
beforeEach(async () => {
  db = await startTable();
  await fillTable({ endpoint: db.endpoint, name: tableName }, left.items);
});
afterEach(() => db.stop());

const settle = (at = now) =>
  settleFigures(
    {
      access: {
        endpoint: db.endpoint,
        region: 'us-east-1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      },
      tableName,
      figuresRetentionDays: retentionDays,
    },
    () => undefined,
    { now: new Date(at), watch: 0 },
  );

const count = async (deliveries: readonly Delivery[], at: number) => {
  const figures = figureStore(db.table, { clock: () => new Date(at) });
  for (const delivery of deliveries)
    for (const item of itemsOf({ ...delivery, retentionDays })) await figures.add(item);
};

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

const shownTo = async (owner: Owner, at: number): Promise<Record<string, Counts>> => {
  const spans: Record<string, Counts> = {};
  for (const unit of ['day', 'dayByLink', 'hour'] as const) {
    const range = { unit, start: now - 60 * dayMs, end: now + 60 * dayMs };
    const found = await seriesStore(db.table).find(
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

const expectExact = async (deliveries: readonly Delivery[], at: number) => {
  for (const owner of owners) {
    expect([owner, await shownTo(owner, at)]).toEqual([owner, truthOf(deliveries, owner)]);
    if (owner.code === undefined) continue;
    const truth = deliveries
      .flatMap(({ records }) => records)
      .filter(({ code }) => code === owner.code)
      .reduce((sum, { clicks }) => sum + clicks, 0);
    expect((await db.table.get(figuresKey(owner)))?.n).toBe(truth);
  }
};

let sequence = 10n ** 30n;
const clickAt = (code: string, time: number): ClickRecord => {
  sequence += 1n;
  const fields = { project, code, at: Math.floor(time / 1000), created: Math.floor(time / 1000) };
  return aClickRecord({ ...fields, position: `z${sequence}` }, 0);
};

test('figures of 1.0.0 are exact once settled, stay so with batches that come again, and when days are closed', async () => {
  expect(await settle()).toEqual({ settled: 5, before: 0 });
  await expectExact(left.deliveries, now);
  // The last batch of each shard comes again, with what follows it.
  const [first, second] = left.deliveries.slice(-2) as [Delivery, Delivery];
  const more: Delivery[] = [
    { shard: first.shard, records: [...first.records, clickAt('launch', now), clickAt('fresh', now)] },
    { shard: second.shard, records: [...second.records, clickAt('launch', now)] },
  ];
  await count(more, now);
  const all = [...left.deliveries.slice(0, -2), ...more];
  await expectExact(all, now);
  expect(await settle()).toEqual({ settled: 0, before: 5 });

  // A late click of the day before, and a click of days later, which closes all of them.
  const later = now + 12 * dayMs;
  const late: Delivery[] = [
    { shard: 'stream/late', records: [clickAt('launch', now - dayMs)] },
    ...['launch', 'second', 'fresh', 'quiet'].map((code) => ({
      shard: 'stream/next',
      records: [clickAt(code, later)],
    })),
  ];
  await count(late.slice(0, 1), now + hourMs);
  await expectExact([...all, ...late.slice(0, 1)], now + hourMs);
  await count(late.slice(1), later);
  await expectExact([...all, ...late], later);
  const boundary = Math.floor(later / dayMs);
  expect((await db.table.get(figuresKey({ project, code: 'launch' })))?.d).toBe(boundary);
}, 30_000);

test('a settlement may end at any write, and is repeated', async () => {
  for (let writes = 0; ; writes += 3) {
    let done = 0;
    const table = {
      ...db.table,
      update: (input: Parameters<typeof db.table.update>[0]) => {
        done += 1;
        return done > writes ? Promise.reject(new Error('Killed')) : db.table.update(input);
      },
    };
    const item = await db.table.get(figuresKey({ project }));
    const settled = await settleOwner(
      { table, now: new Date(now), retentionDays },
      { project },
      item ?? {},
    ).catch((error) => expect(error.message).toBe('Killed'));
    if (settled) break;
  }
  expect(await settle()).toEqual({ settled: 4, before: 1 });
  await expectExact(left.deliveries, now);
}, 30_000);

test('a settlement says that clicks are still counted', async () => {
  const key = figuresKey({ project, code: 'quiet' });
  const item = await db.table.get(key);
  const addition = {
    Key: key,
    UpdateExpression: 'SET q = list_append(if_not_exists(q, :none), :one)',
    ExpressionAttributeValues: { ':none': [], ':one': ['ai34 1 n'] },
  };
  await db.table.update(addition);
  const settling = { table: db.table, now: new Date(now), retentionDays };
  expect(await settleOwner(settling, { project, code: 'quiet' }, item ?? {})).toBe(false);
  await settle();
  await db.table.update(addition);
  // Days that 1.1.0 has not closed stay open, although 1.0.0 has counted since.
  expect(await settle(now + 3 * dayMs)).toEqual({ settled: 1, before: 4 });
  expect((await db.table.get(key))?.d).toBe(Math.floor(now / dayMs));
});

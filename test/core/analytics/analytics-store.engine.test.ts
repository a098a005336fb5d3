import * as fc from 'fast-check';
import { analyticsOf } from '../../../core/analytics/analytics.ts';
import { analyticsItemsOf, totalsKeys } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import { packedPosition } from '../../../core/analytics/positions.ts';
import { analyticsKey } from '../../../core/table/analytics-keys.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { runs } from '../../support/nightly.ts';

const db = fileTable();

const hour = 3600;
const now = new Date('2026-03-01T00:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * hour * 1000);
const created = now.getTime() / 1000;

const recordsOf = (code: string, ...sequences: number[]): ClickRecord[] =>
  sequences.map((sequence) => aClickRecord({ code, created, at: created }, sequence));

const item = (code: string) => db.table.get(analyticsKey({ project: 'acme', code }));
const analytics = async (code: string) => analyticsOf(await item(code));
const shard = 'stream/shard';
const add = async (records: readonly ClickRecord[], at = now, from = shard) => {
  const store = analyticsStore(db.table, { clock: () => at });
  for (const one of analyticsItemsOf({ shard: from, records })) await store.add(one);
};

test('adds clicks by platform and country', async () => {
  const code = unique('code');
  const [first, second, third] = recordsOf(code, 1, 2, 3) as [ClickRecord, ClickRecord, ClickRecord];
  await add([
    { ...first, unique: true, platform: 'ios' },
    { ...second, clicks: 3, country: 'other' },
    { ...third, unique: true, platform: 'android', country: 'FR' },
  ]);
  expect(await analytics(code)).toEqual({
    clicks: 5,
    uniques: 2,
    platforms: { ios: 1, web: 3, android: 1 },
    countries: { DE: 1, other: 3, FR: 1 },
  });
});

test('accepts unordered records, and duplicates in one batch', async () => {
  const code = unique('code');
  await add(recordsOf(code, 3, 1, 2, 3, 10, 9));
  expect((await analytics(code)).clicks).toBe(5);
});

test('keeps shards apart', async () => {
  const code = unique('code');
  await add(recordsOf(code, 9), now, 'stream/shard-1');
  await add(recordsOf(code, 1), now, 'stream/shard-2');
  await add(recordsOf(code, 1), now, 'another-stream/shard-1');
  expect((await analytics(code)).clicks).toBe(3);
});

test('clicks of a link whose visitors are in groups are added to several items', async () => {
  const code = unique('code');
  const click = { code, isGrouped: true, at: created, created };
  for (let shard = 0; shard < 6; shard += 1)
    await add([aClickRecord({ ...click, unique: shard < 2 }, 1)], now, `stream/shard-${shard}`);
  expect((await item(code))?.n).toBeUndefined();
  const items = await Promise.all(totalsKeys({ project: 'acme', code }).map((key) => db.table.get(key)));
  expect(items.reduce((sum, one) => sum + Number(one?.n ?? 0), 0)).toBe(6);
});

describe('watermarks', () => {
  const watermarks = async (code: string) =>
    Object.keys((await item(code)) ?? {}).filter((name) => name.startsWith('w'));

  /** As long as DynamoDB's own. */
  const longOf = (sequence: number) => packedPosition(String(10n ** 27n + BigInt(sequence)));

  /** Leaves marks of so many shards in an item that has clicks from so many countries, and adds a click a day later. */
  const addLater = async (code: string, shards: number, countries = 1) => {
    const [record] = recordsOf(code, 1) as [ClickRecord];
    const places = Array.from({ length: countries }, (_, i) => ({
      country: String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26)),
    }));
    await add(
      places.map((place, i) => ({ ...record, ...place, position: longOf(i) })),
      now,
      'stream/old-0',
    );
    for (let i = 1; i < shards; i += 1)
      await add([{ ...record, position: longOf(i) }], now, `stream/old-${i}`);
    await add([{ ...record, position: longOf(shards) }], later(26), 'stream/recent');
    expect(await watermarks(code)).toHaveLength(shards + 1);
    await add([{ ...record, created: created + 27 * hour }], later(27), 'stream/new');
    return watermarks(code);
  };

  test('for closed shards are dropped once every write would take another unit for them', async () => {
    const [few, many] = [unique('code'), unique('code')];
    expect(await addLater(few, 28)).toHaveLength(30);
    expect(await addLater(many, 38)).toHaveLength(1);
    expect((await analytics(many)).clicks).toBe(40);
  });

  test('for closed shards stay where an item takes as many units without them', async () => {
    const [filled, full] = [unique('code'), unique('code')];
    expect(await addLater(filled, 10, 160)).toHaveLength(1);
    expect(await addLater(full, 10, 240)).toHaveLength(12);
  });

  test('stay while they may be needed', async () => {
    const code = unique('code');
    for (let i = 0; i < 12; i += 1) await add(recordsOf(code, 1), later(26), `stream/shard-${i}`);
    for (let i = 0; i < 12; i += 1) await add(recordsOf(code, 1), later(26), `stream/shard-${i}`);
    expect((await analytics(code)).clicks).toBe(12);
  });

  test('for the shard being added are never dropped, however old', async () => {
    const code = unique('code');
    const [record] = recordsOf(code, 1) as [ClickRecord];
    const from = (i: number) => add([{ ...record, position: longOf(i) }], now, `stream/old-${i}`);
    for (let i = 0; i < 40; i += 1) await from(i);
    await add(recordsOf(code, 1), now);
    await add(recordsOf(code, 2), later(200));
    expect(await watermarks(code)).toHaveLength(1);
    await add(recordsOf(code, 1, 2), later(200));
    expect((await analytics(code)).clicks).toBe(42);
  });
});

/** Delivers a shard as an event source mapping may: in any batches, from any earlier point, with lost responses. */
const deliver = async (records: ClickRecord[], schedule: fc.Stream<number>) => {
  const next = () => schedule.next().value as number;
  for (let done = 0; done < records.length; ) {
    const from = Math.max(0, done - (next() % 4));
    const to = Math.min(records.length, from + 1 + (next() % 7));
    const lost = next() % 4 === 0;
    await add(records.slice(from, to));
    if (!lost) done = Math.max(done, to);
  }
};

const clicksAndSchedule = [
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 25 }),
  fc.infiniteStream(fc.nat(1000)),
] as const;

test('is exact under any repeated delivery', async () => {
  await fc.assert(
    fc.asyncProperty(...clicksAndSchedule, async (clicks, schedule) => {
      const code = unique('code');
      const records = clicks.map((n, i) => ({
        ...aClickRecord({ code, created, at: created }, i + 1),
        clicks: n,
      }));
      await deliver(records, schedule);
      expect((await analytics(code)).clicks).toBe(clicks.reduce((a, b) => a + b));
    }),
    { numRuns: runs(20) },
  );
});

test('positions sort like their sequence numbers', () => {
  const numbers = ['9', '10', '100000000000000000001', '999999999999999999999', '1000000000000000000000'];
  expect(numbers.map(packedPosition).sort()).toEqual(numbers.map(packedPosition));
});

import * as fc from 'fast-check';
import { type ClickRecord, positionOf } from '../../../core/clicks/click.ts';
import { addRecords } from '../../../core/clicks/click-figures.ts';
import { itemsOf } from '../../../core/clicks/figure-items.ts';
import { figuresOf } from '../../../core/clicks/figures.ts';
import { redriveClicks } from '../../../core/clicks/redriven-clicks.ts';
import { figuresKey } from '../../../core/table/keys.ts';
import type { Table, Updates } from '../../../core/table/table.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());

const hour = 3600;
const now = new Date('2026-03-01T00:00:00.000Z');
const later = (hours: number) => new Date(now.getTime() + hours * hour * 1000);
const created = now.getTime() / 1000;

const recordsOf = (code: string, ...sequences: number[]): ClickRecord[] =>
  sequences.map((sequence) => aClickRecord({ code, created }, sequence));

const item = (code: string) => db.table.get(figuresKey({ project: 'acme', code }));
const figures = async (code: string) => figuresOf(await item(code));
const shard = 'stream/shard';
const addTo = async (table: Updates, records: readonly ClickRecord[], at = now, from = shard) => {
  for (const one of itemsOf({ shard: from, records })) await addRecords(table, one, { now: at });
};
const add = (records: readonly ClickRecord[], at = now, from = shard) => addTo(db.table, records, at, from);

test('adds clicks by platform and country', async () => {
  const code = unique('code');
  const [first, second, third] = recordsOf(code, 1, 2, 3) as [ClickRecord, ClickRecord, ClickRecord];
  await add([
    { ...first, unique: true, platform: 'ios' },
    { ...second, clicks: 3, country: 'other' },
    { ...third, unique: true, platform: 'android', country: 'FR' },
  ]);
  expect(await figures(code)).toEqual({
    clicks: 5,
    uniques: 2,
    platforms: { ios: 1, web: 3, android: 1 },
    countries: { DE: 1, other: 3, FR: 1 },
  });
});

test('skips records already added, in any batches', async () => {
  const code = unique('code');
  const records = recordsOf(code, 1, 2, 3, 4, 5);
  await add(records.slice(0, 3));
  await add(records.slice(1, 5));
  await add(records);
  expect((await figures(code)).clicks).toBe(5);
});

test('accepts unordered records, and duplicates in one batch', async () => {
  const code = unique('code');
  await add(recordsOf(code, 3, 1, 2, 3, 10, 9));
  expect((await figures(code)).clicks).toBe(5);
});

test('keeps shards apart', async () => {
  const code = unique('code');
  await add(recordsOf(code, 9), now, 'stream/shard-1');
  await add(recordsOf(code, 1), now, 'stream/shard-2');
  await add(recordsOf(code, 1), now, 'another-stream/shard-1');
  expect((await figures(code)).clicks).toBe(3);
});

describe('watermarks', () => {
  const watermarks = async (code: string) =>
    Object.keys((await item(code)) ?? {}).filter((name) => name.startsWith('w'));

  test('of closed shards are dropped, several at a time', async () => {
    const code = unique('code');
    for (let i = 0; i < 8; i += 1) await add(recordsOf(code, 1), now, `stream/old-${i}`);
    await add(recordsOf(code, 1), later(47), 'stream/recent');
    expect(await watermarks(code)).toHaveLength(9);
    const [record] = recordsOf(code, 1) as [ClickRecord];
    await add([{ ...record, created: created + 49 * hour }], later(49), 'stream/new');
    expect(await watermarks(code)).toHaveLength(1);
    expect((await figures(code)).clicks).toBe(10);
  });

  test('stay while they may be needed', async () => {
    const code = unique('code');
    for (let i = 0; i < 12; i += 1) await add(recordsOf(code, 1), later(26), `stream/shard-${i}`);
    for (let i = 0; i < 12; i += 1) await add(recordsOf(code, 1), later(26), `stream/shard-${i}`);
    expect((await figures(code)).clicks).toBe(12);
  });

  test('of the shard being added are never dropped, however old', async () => {
    const code = unique('code');
    for (let i = 0; i < 8; i += 1) await add(recordsOf(code, 1), now, `stream/old-${i}`);
    await add(recordsOf(code, 1), now);
    await add(recordsOf(code, 2), later(200));
    await add(recordsOf(code, 1, 2), later(200));
    expect((await figures(code)).clicks).toBe(10);
  });
});

describe('discarded records', () => {
  const redrive = (records: ClickRecord[], at = later(25)) =>
    redriveClicks(db.table, { shard, records }, { now: at });

  test('are added once, however often they are redriven', async () => {
    const code = unique('code');
    const records = recordsOf(code, 4, 5);
    expect(await redrive(records)).toEqual({ added: 2, skipped: 0 });
    expect(await redrive(records)).toEqual({ added: 0, skipped: 2 });
    expect((await figures(code)).clicks).toBe(2);
  });

  test('are not added if they were counted before their batch failed for another link', async () => {
    const code = unique('code');
    await add(recordsOf(code, 1, 2));
    expect(await redrive(recordsOf(code, 2, 3))).toEqual({ added: 1, skipped: 1 });
    expect((await figures(code)).clicks).toBe(3);
  });

  test('are added even after later ones were counted', async () => {
    const code = unique('code');
    await add(recordsOf(code, 1, 2));
    await add(recordsOf(code, 7), later(25));
    expect(await redrive(recordsOf(code, 2, 3, 4))).toEqual({ added: 2, skipped: 1 });
    expect(await redrive(recordsOf(code, 5, 6, 7))).toEqual({ added: 2, skipped: 1 });
    expect(await redrive(recordsOf(code, 2, 3, 4, 5, 6, 7))).toEqual({ added: 0, skipped: 6 });
    await add(recordsOf(code, 7, 8), later(25));
    expect((await figures(code)).clicks).toBe(8);
  });

  test("are added even if their shard's first count was later", async () => {
    const code = unique('code');
    await add(recordsOf(code, 7), later(25));
    expect(await redrive(recordsOf(code, 2, 3))).toEqual({ added: 2, skipped: 0 });
  });

  test('are skipped if it is unknown whether they were counted', async () => {
    const code = unique('code');
    expect(await redrive(recordsOf(code, 1), later(47))).toEqual({ added: 0, skipped: 1 });
  });
});

/** Delivers a shard as an event source mapping may: in any batches, from any earlier point, with lost responses. */
const deliver = async (table: Table, records: ClickRecord[], schedule: fc.Stream<number>) => {
  const next = () => schedule.next().value as number;
  for (let done = 0; done < records.length; ) {
    const from = Math.max(0, done - (next() % 4));
    const to = Math.min(records.length, from + 1 + (next() % 7));
    const lost = next() % 4 === 0;
    await addTo(table, records.slice(from, to));
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
      const records = clicks.map((n, i) => ({ ...aClickRecord({ code, created }, i + 1), clicks: n }));
      await deliver(db.table, records, schedule);
      expect((await figures(code)).clicks).toBe(clicks.reduce((a, b) => a + b));
    }),
    { numRuns: 40 },
  );
});

test('is exact for any discarded batches, redriven in any order and more than once', async () => {
  await fc.assert(
    fc.asyncProperty(...clicksAndSchedule, async (clicks, schedule) => {
      const code = unique('code');
      const next = () => schedule.next().value as number;
      const records = clicks.map((n, i) => ({ ...aClickRecord({ code, created }, i + 1), clicks: n }));
      const givenUp: ClickRecord[][] = [];
      for (let done = 0; done < records.length; ) {
        const batch = records.slice(done, done + 1 + (next() % 5));
        done += batch.length;
        // A batch may be discarded after a part was added, and redriven while later ones are added.
        const added = next() % 3 === 0 ? batch.slice(0, next() % (batch.length + 1)) : batch;
        await add(added, later(25));
        if (added !== batch) givenUp.push(batch);
        if (next() % 3 === 0)
          for (const lost of givenUp)
            await redriveClicks(db.table, { shard, records: lost }, { now: later(26) });
      }
      for (let i = 0; i < 2; i += 1)
        for (const lost of givenUp.toReversed())
          await redriveClicks(db.table, { shard, records: lost }, { now: later(26) });
      await add(records, later(26));
      expect((await figures(code)).clicks).toBe(clicks.reduce((a, b) => a + b));
    }),
    { numRuns: 60 },
  );
});

test('positions sort like their sequence numbers', () => {
  const numbers = ['9', '10', '100000000000000000001', '999999999999999999999', '1000000000000000000000'];
  expect(numbers.map(positionOf).sort()).toEqual(numbers.map(positionOf));
});

import * as fc from 'fast-check';
import { type ClickRecord, positionOf } from '../../../core/click.ts';
import { addClicks } from '../../../core/store/click-figures.ts';
import { figuresOf } from '../../../core/store/figures.ts';
import { figuresKey } from '../../../core/store/keys.ts';
import type { Table } from '../../../core/store/table.ts';
import { unique } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());

const now = new Date('2026-03-01T00:00:00.000Z');

const record = (code: string, sequence: number, fields: Partial<ClickRecord> = {}): ClickRecord => ({
  project: 'acme',
  code,
  position: positionOf(String(sequence)),
  clicks: 1,
  unique: false,
  platform: 'web',
  country: 'DE',
  ...fields,
});

const figures = async (code: string) => figuresOf(await db.table.get(figuresKey('acme', code)));

test('adds clicks by platform and country', async () => {
  const code = unique('code');
  await addClicks(
    db.table,
    'shard',
    [
      record(code, 1, { unique: true, platform: 'ios' }),
      record(code, 2, { clicks: 3, country: 'other' }),
      record(code, 3, { unique: true, platform: 'android', country: 'FR' }),
    ],
    now,
  );
  expect(await figures(code)).toEqual({
    clicks: 5,
    uniques: 2,
    platforms: { ios: 1, web: 3, android: 1 },
    countries: { DE: 1, other: 3, FR: 1 },
  });
});

test('skips what was added before, in whatever cut it comes again', async () => {
  const code = unique('code');
  const records = [1, 2, 3, 4, 5].map((sequence) => record(code, sequence));
  await addClicks(db.table, 'shard', records.slice(0, 3), now);
  await addClicks(db.table, 'shard', records.slice(1, 5), now);
  await addClicks(db.table, 'shard', records, now);
  expect((await figures(code)).clicks).toBe(5);
});

test('keeps shards apart', async () => {
  const code = unique('code');
  await addClicks(db.table, 'shard-1', [record(code, 9)], now);
  await addClicks(db.table, 'shard-2', [record(code, 1)], now);
  expect((await figures(code)).clicks).toBe(2);
});

test('drops the watermarks of shards that are long gone', async () => {
  const code = unique('code');
  const later = new Date(now.getTime() + 73 * 3_600_000);
  await addClicks(db.table, 'shard-1', [record(code, 1)], now);
  await addClicks(db.table, 'shard-2', [record(code, 1)], later);
  const item = await db.table.get(figuresKey('acme', code));
  expect(Object.keys(item ?? {}).filter((name) => name.startsWith('w#'))).toHaveLength(1);
  expect(figuresOf(item).clicks).toBe(2);
});

/** Delivers a shard as an event source mapping may: any cut, from any earlier point, losing any answer. */
const deliver = async (table: Table, records: ClickRecord[], schedule: fc.Stream<number>) => {
  const next = () => schedule.next().value as number;
  for (let done = 0; done < records.length; ) {
    const from = Math.max(0, done - (next() % 4));
    const to = Math.min(records.length, from + 1 + (next() % 7));
    const lost = next() % 4 === 0;
    await addClicks(table, 'shard', records.slice(from, to), now);
    if (!lost) done = Math.max(done, to);
  }
};

test('is exact under any re-delivery', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 25 }),
      fc.infiniteStream(fc.nat(1000)),
      async (clicks, schedule) => {
        const code = unique('code');
        const records = clicks.map((n, i) => record(code, i + 1, { clicks: n }));
        await deliver(db.table, records, schedule);
        expect((await figures(code)).clicks).toBe(clicks.reduce((a, b) => a + b));
      },
    ),
    { numRuns: 40 },
  );
});

import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import { timeseriesStore } from '../../../core/analytics/timeseries-store.ts';
import type { Table } from '../../../core/table/table.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';

const db = fileTable();

let project: string;
let counted = 0;
beforeEach(() => {
  project = unique('project');
});

const begin = Date.parse('2026-03-02T10:00:00Z');
const hourMs = 3_600_000;
type Analytics = ReturnType<typeof analyticsStore>;
const analyticsOn = (table: Table): Analytics => analyticsStore(table, { clock: () => new Date(begin) });

/** So many clicks of each referrer. */
const recordsOf = (clicks: Readonly<Record<string, number>>, at = begin) =>
  Object.entries(clicks).map(([referrer, n]): ClickRecord => {
    counted += 1;
    return aClickRecord({ project, at: at / 1000, created: at / 1000, referrer, clicks: n }, counted);
  });

const addRecords = async (analytics: Analytics, records: readonly ClickRecord[], shard = 'stream/shard') => {
  for (const item of analyticsItemsOf({ shard, records }))
    if (item.owner.code === undefined) await analytics.add(item);
};

/** Adds them in one batch. */
const add = (analytics: Analytics, clicks: Readonly<Record<string, number>>, at = begin, shard?: string) =>
  addRecords(analytics, recordsOf(clicks, at), shard);

/** Names that fill an hour. */
const full = (clicks: number) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`early-${i}.example`, clicks + (i > 0 ? 1 : 0)]));

/** Those of them that stay where the rarest one leaves. */
const rest = (clicks: number) => {
  const { 'early-0.example': _, ...others } = full(clicks);
  return others;
};

const referrersOf = async (at = begin) => {
  const span = { unit: 'hour', start: at, end: at + hourMs } as const;
  const [hour] = await timeseriesStore(db.table).find({ project }, [span], new Date(at));
  return hour?.groups('referrers') ?? {};
};

const { 'early-9.example': _, ...withoutNinth } = full(5);

test.each<[string, Record<string, number>[], Record<string, number>]>([
  [
    'a late name takes the place of one with fewer clicks than it got among the others',
    [{ 'late.example': 3 }, { 'late.example': 3 }],
    { ...rest(5), 'late.example': 6, other: 5 },
  ],
  [
    'a late name with as many clicks as the rarest one does not take its place',
    [{ 'late.example': 3 }, { 'late.example': 2 }],
    { ...full(5), other: 5 },
  ],
  [
    'the others give up their place to no name, however few they are',
    [{ 'rare.example': 1 }, { 'busier.example': 3 }],
    { ...full(5), other: 4 },
  ],
  [
    'a name that gets clicks in the same batch keeps its place, and the next rarest one leaves',
    [{ 'early-0.example': 1, 'late.example': 8 }],
    { ...withoutNinth, 'early-0.example': 6, 'late.example': 8, other: 6 },
  ],
])('%s', async (_, batches, expected) => {
  const analytics = analyticsOn(db.table);
  for (const batch of [full(5), ...batches]) await add(analytics, batch);
  expect(await referrersOf()).toEqual(expected);
});

test('a name that lost its place is one of the others again, without its earlier clicks', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, full(5));
  await add(analytics, { 'late.example': 3 });
  await add(analytics, { 'late.example': 3 });
  const others = rest(5);
  await add(analytics, { 'early-0.example': 1 });
  expect(await referrersOf()).toEqual({ ...others, 'late.example': 6, other: 6 });
  await add(analytics, { 'later.example': 7 });
  expect(await referrersOf()).toEqual({ ...others, 'later.example': 7, other: 12 });
  await add(analytics, { 'late.example': 1 });
  expect(await referrersOf()).toEqual({ ...others, 'later.example': 7, other: 13 });
});

test('a name that another writer has added meanwhile does not come a second time', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, full(5));
  await add(analytics, { 'late.example': 5 });
  // A writer that has yet to learn which names the hour has.
  await add(analyticsOn(db.table), { 'late.example': 1 }, begin, 'stream/other');
  await add(analytics, { 'early-1.example': 1 });
  await add(analytics, { 'early-2.example': 1 });
  const busier = { 'early-1.example': 7, 'early-2.example': 7 };
  expect(await referrersOf()).toEqual({ ...full(5), ...busier, 'late.example': 1, other: 5 });
});

test('names without room are remembered although others got more', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, full(5));
  const busier = Array.from({ length: 200 }, (_, i) => [`busier-${i}.example`, 3]);
  await add(analytics, { ...Object.fromEntries(busier), 'slow.example': 2 });
  await add(analytics, { 'slow.example': 4 });
  const others = rest(5);
  expect(await referrersOf()).toEqual({ ...others, 'slow.example': 6, other: 600 + 5 });
});

/** Something that happens once, right before the first write in which a name leaves, or right after it. */
const meeting = (
  isBefore: boolean,
  happens: (write: Parameters<Table['update']>[0]) => Promise<unknown>,
): Table => {
  let isOver = false;
  return {
    ...db.table,
    async update(write) {
      if (isOver || !write.UpdateExpression?.includes('REMOVE')) return db.table.update(write);
      isOver = true;
      const before = isBefore ? undefined : await db.table.update(write);
      await happens(write);
      return before ?? db.table.update(write);
    },
  };
};

test('a write whose answer was lost moves names once, and takes clicks from the others once', async () => {
  const lost = meeting(false, () => Promise.reject(new Error('No answer')));
  const analytics = analyticsOn(lost);
  await add(analytics, full(5));
  await add(analytics, { 'late.example': 3 });
  const records = recordsOf({ 'late.example': 4 });
  await expect(addRecords(analytics, records)).rejects.toThrow('No answer');
  const others = rest(5);
  expect(await referrersOf()).toEqual({ ...others, 'late.example': 7, other: 5 });
  // The name that left comes back with as many clicks as it had.
  await add(analyticsOn(db.table), { 'early-0.example': 5 }, begin, 'stream/other');
  await add(analytics, { 'late.example': 3 });
  expect(await referrersOf()).toEqual({ ...full(5), 'late.example': 10, other: 5 });
  await addRecords(analytics, records);
  expect(await referrersOf()).toEqual({ ...full(5), 'late.example': 10, other: 5 });
});

test('a name that gets clicks from another writer meanwhile keeps its place if it now has enough', async () => {
  const other = analyticsOn(db.table);
  const analytics = analyticsOn(
    meeting(true, () => add(other, { 'early-0.example': 10 }, begin, 'stream/other')),
  );
  await add(analytics, full(5));
  await add(analytics, { 'late.example': 3 });
  await add(analytics, { 'late.example': 3 });
  expect(await referrersOf()).toEqual({ ...full(5), 'early-0.example': 15, other: 6 });
  await add(analytics, { 'late.example': 7 });
  const { 'early-9.example': _, ...others } = full(5);
  expect(await referrersOf()).toEqual({ ...others, 'early-0.example': 15, 'late.example': 10, other: 9 });
});

test('clicks of a busy name are remembered, however many names are invented in between', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, full(500));
  for (let round = 1; round <= 3; round += 1) {
    const invented = Array.from({ length: 300 }, (_, i) => [`invented-${round}-${i}.example`, 1]);
    await add(analytics, { ...Object.fromEntries(invented), 'true.example': 200 });
  }
  const others = rest(500);
  expect(await referrersOf()).toEqual({ ...others, 'true.example': 600, other: 900 + 500 });
});

test('an established name needs no room, and takes none from others', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, { 'known.example': 1 });
  const [tomorrow, next] = [begin + 24 * hourMs, begin + 25 * hourMs];
  await add(analytics, full(5), tomorrow);
  await add(analytics, { 'known.example': 2, 'late.example': 3 }, tomorrow);
  expect(await referrersOf(tomorrow)).toEqual({ ...full(5), 'known.example': 2, other: 3 });
  const others = rest(5);
  await add(analytics, { ...others, 'known.example': 1 }, next);
  await add(analytics, { 'late.example': 3 }, next);
  expect(await referrersOf(next)).toEqual({ ...others, 'known.example': 1, 'late.example': 3 });
});

test('only earlier days establish names: one that is busy today must find room', async () => {
  const analytics = analyticsOn(db.table);
  await add(analytics, { 'today.example': 100 });
  const next = begin + hourMs;
  await add(analytics, full(5), next);
  await add(analytics, { 'today.example': 1 }, next);
  expect(await referrersOf(next)).toEqual({ ...full(5), other: 1 });
  const tomorrow = begin + 24 * hourMs;
  await add(analytics, full(5), tomorrow);
  await add(analytics, { 'today.example': 1 }, tomorrow);
  expect(await referrersOf(tomorrow)).toEqual({ ...full(5), 'today.example': 1 });
});

import { analyticsNames } from '../../../core/analytics/analytics.ts';
import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import type { DaysTable } from '../../../core/analytics/closed-days.ts';
import { hoursIn } from '../../../core/analytics/days.ts';
import { timeseriesStore } from '../../../core/analytics/timeseries-store.ts';
import { dayMs, hourMs } from '../../../core/base/durations.ts';
import type { Owner } from '../../../core/table/analytics-keys.ts';
import { analyticsKey, dayKey } from '../../../core/table/analytics-keys.ts';
import type { Key } from '../../../core/table/keys.ts';
import type { Item } from '../../../core/table/table.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();

const day = Math.floor(Date.parse('2026-03-02T00:00:00Z') / dayMs);
let owner: Owner & { readonly code: string };
beforeEach(() => {
  owner = { project: unique('project'), code: unique('code') };
  counted = 0;
});

let counted = 0;
const clickAt = (time: number, fields: Partial<ClickRecord> = {}): ClickRecord => {
  counted += 1;
  return aClickRecord({ ...owner, at: time / 1000, created: time / 1000, ...fields }, counted);
};

interface Counting {
  readonly now: number;
  readonly table?: DaysTable;
  readonly retentionDays?: number;
  readonly shard?: string;
}

const count = async (
  records: readonly ClickRecord[],
  { now, table = db.table, retentionDays, shard = 'stream/shard' }: Counting,
): Promise<void> => {
  const analytics = analyticsStore(table, { clock: () => new Date(now) });
  for (const item of analyticsItemsOf({ shard, records }, retentionDays)) await analytics.add(item);
};

/** A country. */
const countryOf = (i: number) => String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26));

const dayItem = (of: Owner, of_day = day) => db.table.get(dayKey('day', of, of_day));
const boundary = async (of: Owner) => (await db.table.get(analyticsKey(of)))?.d;

/** As readers see it, by closed and open days. */
const clicksOf = async (of: Owner, now: number, table: DaysTable = db.table) => {
  const span = { unit: 'day' as const, start: (day - 40) * dayMs, end: (day + 40) * dayMs };
  const days = await timeseriesStore(table).find(of, [span], new Date(now));
  return Object.fromEntries(days.map(({ start, clicks }) => [start / dayMs - day, clicks]));
};

const start = day * dayMs;

test('a day is summed when an hour begins two hours after its end, a link has eight at a time', async () => {
  const project = { project: owner.project };
  await count([clickAt(start)], { now: start });
  await count([clickAt(start + 26 * hourMs - 1)], { now: start + 26 * hourMs - 1 });
  expect([await boundary(project), await boundary(owner)]).toEqual([undefined, undefined]);
  await count([clickAt(start + 26 * hourMs)], { now: start + 26 * hourMs });
  expect([await boundary(project), await boundary(owner)]).toEqual([day + 1, day + 1]);
  expect(await dayItem(owner)).toMatchObject({ n: 1, 'p#web': 1, v: 1 });
  const [eighth, ninth] = [start + 9 * dayMs + 2 * hourMs - 1, start + 9 * dayMs + 2 * hourMs];
  await count([clickAt(eighth)], { now: eighth });
  expect([await boundary(project), await boundary(owner)]).toEqual([day + 8, day + 1]);
  await count([clickAt(ninth)], { now: ninth });
  // Nothing happened in the project on the day before.
  expect([await boundary(project), await boundary(owner)]).toEqual([day + 8, day + 9]);
  expect(await dayItem(owner, day + 8)).toBeUndefined();
  expect(await clicksOf(owner, ninth)).toEqual({ 0: 1, 1: 2, 9: 2 });
  expect(await clicksOf(project, ninth)).toEqual({ 0: 1, 1: 2, 9: 2 });
});

test('a click counts into its own hour and day, hours or fourteen days late', async () => {
  await count([clickAt(start)], { now: start });
  const later = start + 10 * dayMs;
  await count([clickAt(later)], { now: later });
  expect(await boundary(owner)).toBe(day + 9);
  for (const late of [start + 14 * dayMs, start + 15 * dayMs]) {
    await count([clickAt(start + 3 * hourMs, { unique: true })], { now: late, shard: `stream/${late}` });
  }
  expect(await clicksOf(owner, later)).toEqual({ 0: 3, 10: 1 });
  expect(await clicksOf({ project: owner.project }, later)).toEqual({ 0: 3, 10: 1 });
  const hours = await timeseriesStore(db.table).find(owner, [{ unit: 'hour', start, end: start + dayMs }]);
  expect(hours.map((hour) => [hour.start - start, hour.clicks, hour.uniqueClicks])).toEqual([
    [0, 1, 0],
    [3 * hourMs, 2, 2],
  ]);
});

test('the larger of two sums of a day stays, whichever is written last', async () => {
  await count([clickAt(start)], { now: start });
  const now = start + 2 * dayMs;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: waiting, resolve: reached } = Promise.withResolvers<void>();
  const slow = tableBefore(db.table, 'put', () => {
    reached();
    return released;
  });
  const first = count([clickAt(start)], { now, table: slow, shard: 'stream/one' });
  await waiting;
  await count([clickAt(start)], { now, shard: 'stream/two' });
  release();
  await first;
  expect(await dayItem(owner)).toMatchObject({ n: 3, v: 3 });
});

/** The table of a function that dies at a write that fits. */
const dyingAt = (
  action: 'put' | 'update',
  fits: (input: { Item?: Item; Key?: Item }) => boolean,
): DaysTable => {
  let isDead = false;
  const guard =
    <Input, Result>(name: string, call: (input: Input) => Promise<Result>) =>
    (input: Input): Promise<Result> => {
      isDead ||= name === action && fits(input as object);
      return isDead ? Promise.reject(new Error('Killed')) : call(input);
    };
  return {
    get: guard('get', db.table.get),
    query: guard('query', db.table.query),
    update: guard('update', db.table.update),
    put: guard('put', db.table.put),
  };
};

test.each([
  [
    'before a day is written',
    'put',
    ({ Item }: { Item?: Item }) => Item?.SK === dayKey('day', owner, day).SK,
  ],
  ['before the boundary is moved', 'update', ({ Key }: { Key?: Item }) => Key?.SK === 'STATS'],
] as const)(
  'an aggregator that dies %s loses nothing, even without further clicks',
  async (_, action, fits) => {
    await count([clickAt(start), clickAt(start + hourMs)], { now: start + hourMs });
    const now = start + 10 * dayMs;
    // Only the hour: totals are in an item with the boundary.
    const [, hour] = analyticsItemsOf({ shard: 'stream/shard', records: [clickAt(now)] });
    const analytics = analyticsStore(dyingAt(action, fits), { clock: () => new Date(now) });
    await expect(hour && analytics.add(hour)).rejects.toThrow('Killed');
    expect(await clicksOf(owner, now)).toEqual({ 0: 2, 10: 1 });
    // The same batch again, and an hour later the days are closed.
    if (hour) await analyticsStore(db.table, { clock: () => new Date(now) }).add(hour);
    await count([clickAt(now + hourMs)], { now: now + hourMs });
    expect(await boundary(owner)).toBe(day + 9);
    expect(await clicksOf(owner, now)).toEqual({ 0: 2, 10: 2 });
  },
);

test('a referrer of the day before is named, whatever others are invented, now and once the day is closed', async () => {
  const known = { referrer: 'news.true.example' };
  await count([clickAt(start, known), clickAt(start, known)], { now: start });
  const flood = Array.from({ length: 40 }, (_, i) =>
    clickAt(start + dayMs, { referrer: `foreign-${i}.example`, clicks: 3 }),
  );
  const now = start + dayMs;
  const analytics = analyticsStore(db.table, { clock: () => new Date(now) });
  for (const records of [
    flood,
    [clickAt(now, known)],
    [clickAt(now, { referrer: 'late.example', clicks: 4 })],
  ])
    for (const item of analyticsItemsOf({ shard: 'stream/shard', records })) await analytics.add(item);
  const referrers = async (unit: 'day' | 'hour', at: number) => {
    const span = { unit, start: now, end: now + dayMs };
    const [first] = await timeseriesStore(db.table).find(owner, [span], new Date(at));
    return first?.groups('referrers') ?? {};
  };
  expect(await referrers('hour', now)).toMatchObject({ 'news.true.example': 1, 'late.example': 4 });
  expect(await referrers('day', now)).toMatchObject({ 'news.true.example': 1, 'late.example': 4 });
  const later = start + 10 * dayMs;
  await count([clickAt(later)], { now: later });
  const closed = await referrers('day', later + 2 * hourMs);
  expect(closed).toMatchObject({ 'news.true.example': 1, 'late.example': 4 });
  expect(Object.values(closed).reduce((sum, n) => sum + n, 0)).toBe(125);
  expect((await dayItem(owner, day + 1))?.['r#news.true.example']).toBe(1);
});

test('with retention, a project keeps its hours until its days have them, and a link as long as clicks may be late', async () => {
  const project = { project: owner.project };
  const expiry = async (key: Key) => {
    const ttl = (await db.table.get(key))?.ttl;
    return ttl === undefined ? undefined : Number(ttl) / 86_400 - day;
  };
  const items = analyticsItemsOf({ shard: 'stream/shard', records: [clickAt(start)] });
  const [ofLink, ofProject] = items.flatMap(({ hour, key }) => (hour === undefined ? [] : key)) as [Key, Key];
  await count([clickAt(start)], { now: start, retentionDays: 1 });
  expect([await expiry(ofLink), await expiry(ofProject)]).toEqual([17, undefined]);
  // Nobody clicks for a month; then the day is closed, and the hours may go.
  const later = start + 30 * dayMs;
  await count([clickAt(later)], { now: later, retentionDays: 1 });
  expect(await expiry(ofProject)).toBe(31);
  expect(await dayItem(project)).toMatchObject({ n: 1 });
  expect(await expiry(dayKey('day', project, day))).toBeUndefined();
  expect(await expiry(dayKey('dayByLink', project, day))).toBe(2);
  expect(await expiry(dayKey('day', owner, day))).toBe(2);
  // A click that comes still later begins an item of an hour, which may go at once.
  await count([clickAt(start)], { now: later, retentionDays: 1, shard: 'stream/other' });
  const all = await db.table.query({
    KeyConditionExpression: 'PK = :pk AND begins_with(SK, :hour)',
    ExpressionAttributeValues: { ':pk': ofProject.PK, ':hour': ofProject.SK.slice(0, -2) },
  });
  expect(all.map(({ ttl }) => ttl)).not.toContain(undefined);
});

test('with retention, hours of a day that is not closed stay, also after a late click', async () => {
  const end = start + dayMs;
  await count([clickAt(end - 1)], { now: end + hourMs, retentionDays: 1 });
  const hours = await hoursIn(db.table, { project: owner.project }, { start: day * 24, end: day * 24 + 24 });
  expect(hours.map(({ n, ttl }) => [n, ttl])).toEqual([[1, undefined]]);
});

test('with retention, hours of the first day that is not closed stay after a late click', async () => {
  const project = { project: owner.project };
  await count([clickAt(start - dayMs)], { now: start - dayMs, retentionDays: 1 });
  const end = start + dayMs;
  await count([clickAt(end - 1)], { now: end - 1, retentionDays: 1 });
  expect(await boundary(project)).toBe(day);
  await count([clickAt(end - 1)], { now: end + hourMs, retentionDays: 1, shard: 'stream/late' });
  const hours = await hoursIn(db.table, project, { start: day * 24, end: day * 24 + 24 });
  expect(hours.map(({ n, ttl }) => [n, ttl])).toEqual([
    [1, undefined],
    [1, undefined],
  ]);
});

test('a referrer stays established by a closed day of which some hours have expired', async () => {
  const known = { referrer: 'news.true.example' };
  const hourly = [
    clickAt(start, { ...known, clicks: 9 }),
    clickAt(start + hourMs, { referrer: 'x.example' }),
  ];
  await count(hourly, { now: start + hourMs });
  const now = start + dayMs + 2 * hourMs;
  await count([clickAt(now)], { now });
  const project = { project: owner.project };
  expect(await boundary(project)).toBe(day + 1);
  const [first] = await hoursIn(db.table, project, { start: day * 24, end: day * 24 + 1 });
  await db.table.delete({ Key: { PK: first?.PK, SK: first?.SK } });
  const flood = Array.from({ length: 40 }, (_, i) =>
    clickAt(now + hourMs, { referrer: `foreign-${i}.example`, clicks: 3 }),
  );
  const analytics = analyticsStore(db.table, { clock: () => new Date(now + hourMs) });
  for (const records of [flood, [clickAt(now + hourMs, known)]])
    for (const item of analyticsItemsOf({ shard: 'stream/shard', records }))
      if (item.owner.code === undefined) await analytics.add(item);
  const span = { unit: 'hour', start: now + hourMs, end: now + 2 * hourMs } as const;
  const [hour] = await timeseriesStore(db.table).find(project, [span], new Date(now + hourMs));
  expect(hour?.groups('referrers')).toMatchObject({ 'news.true.example': 1 });
});

test('only the first click of an hour looks whether days can be closed', async () => {
  const read: unknown[] = [];
  const table = tableBefore(db.table, 'get', (key) => read.push(key));
  await count([clickAt(start)], { now: start, table });
  expect(read).not.toEqual([]);
  read.length = 0;
  await count([clickAt(start + 1)], { now: start + 1, table });
  expect(read).toEqual([]);
});

test('until readers take over further closed days, they read those before from their items', async () => {
  await count([clickAt(start)], { now: start });
  await count([clickAt(start + 9 * dayMs)], { now: start + 9 * dayMs });
  const [hour] = await hoursIn(db.table, owner, { start: day * 24, end: day * 24 + 1 });
  await db.table.delete({ Key: { PK: hour?.PK, SK: hour?.SK } });
  const now = start + 20 * dayMs;
  await count([clickAt(now)], { now });
  expect(await boundary(owner)).toBe(day + 19);
  expect(await clicksOf(owner, now)).toEqual({ 0: 1, 9: 1, 20: 1 });
});

test('days are closed also if the batch that begins an hour takes several updates', async () => {
  await count([clickAt(start)], { now: start });
  const now = start + 26 * hourMs;
  const many = Array.from({ length: 300 }, (_, i) => clickAt(now, { country: countryOf(i) }));
  await count(many, { now });
  expect(await boundary({ project: owner.project })).toBe(day + 1);
});

test('readers take over closed days an hour later, and until then show their hours', async () => {
  await count([clickAt(start)], { now: start });
  const now = start + 10 * dayMs;
  await count([clickAt(now)], { now });
  const [hour] = analyticsItemsOf({ shard: 'stream/late', records: [clickAt(start)] }).filter(
    (item) => item.hour,
  );
  // Counted in its hour by a function that dies before it sums the day.
  const analytics = analyticsStore(
    dyingAt('put', () => true),
    { clock: () => new Date(now) },
  );
  await expect(hour && analytics.add(hour)).rejects.toThrow('Killed');
  expect(await clicksOf(owner, now)).toMatchObject({ 0: 2 });
  expect(await clicksOf(owner, now + hourMs - 1)).toMatchObject({ 0: 2 });
  expect(await clicksOf(owner, now + hourMs)).toMatchObject({ 0: 1 });
});

test('days that a late click may have changed are read consistently, and older ones at half the price', async () => {
  const asked: [from: string, isConsistent: boolean | undefined][] = [];
  const table = {
    get: async () => ({ d: day - 2 }),
    query: async (input: Parameters<typeof db.table.query>[0]) => {
      asked.push([String(input.ExpressionAttributeValues?.[':first']), input.ConsistentRead]);
      return [];
    },
  };
  await clicksOf(owner, start, { ...db.table, ...table });
  expect(asked).toEqual([
    [dayKey('day', owner, day - 40).SK, false],
    [dayKey('day', owner, day - 16).SK, true],
    [expect.stringMatching(/^H#/), true],
  ]);
});

test('a click is late from an hour after its day on', async () => {
  const end = start + dayMs;
  await count([clickAt(end - 1)], { now: end + hourMs - 1 });
  expect(await dayItem(owner)).toBeUndefined();
  await count([clickAt(end - 1)], { now: end + hourMs });
  expect(await dayItem(owner)).toMatchObject({ n: 2 });
});

test('a closing that ends after a later one leaves the boundary where it is', async () => {
  await count([clickAt(start)], { now: start });
  const [early, late] = [start + 9 * dayMs, start + 20 * dayMs];
  const held: (() => void)[] = [];
  const { promise: waiting, resolve: reached } = Promise.withResolvers<void>();
  const slow = tableBefore(db.table, 'update', async ({ ExpressionAttributeNames: names = {} }) => {
    if (!Object.values(names).includes(analyticsNames.closedAt)) return;
    reached();
    await new Promise<void>((resolve) => held.push(resolve));
  });
  const first = count([clickAt(early)], { now: early, table: slow });
  await waiting;
  await count([clickAt(late)], { now: late });
  expect(await boundary(owner)).toBe(day + 19);
  // The link's, then the project's.
  for (let done = false; !done; ) {
    held.shift()?.();
    done = await Promise.race([
      first.then(() => true),
      new Promise<false>((resolve) => setImmediate(resolve, false)),
    ]);
  }
  expect([await boundary(owner), await boundary({ project: owner.project })]).toEqual([day + 19, day + 19]);
});

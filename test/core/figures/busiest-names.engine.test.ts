import type { ClickRecord } from '../../../core/figures/click-record.ts';
import { itemsOf } from '../../../core/figures/figure-items.ts';
import { figureStore } from '../../../core/figures/figure-store.ts';
import { seriesStore } from '../../../core/figures/series-store.ts';
import { ConditionFailed, type Table } from '../../../core/table/table.ts';
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
type Figures = ReturnType<typeof figureStore>;
const figuresOn = (table: Table): Figures => figureStore(table, { clock: () => new Date(begin) });

/** Adds so many clicks of each referrer in one batch. */
const add = async (figures: Figures, clicks: Readonly<Record<string, number>>, at = begin) => {
  const records = Object.entries(clicks).map(([referrer, n]): ClickRecord => {
    counted += 1;
    return aClickRecord({ project, at: at / 1000, created: at / 1000, referrer, clicks: n }, counted);
  });
  const items = itemsOf({ shard: 'stream/shard', records });
  for (const item of items) if (item.owner.code === undefined) await figures.add(item);
};

/** Names that fill an hour. */
const full = (clicks: number) =>
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`early-${i}.example`, clicks + (i > 0 ? 1 : 0)]));

const referrersOf = async (at = begin) => {
  const span = { unit: 'hour', start: at, end: at + hourMs } as const;
  const [hour] = await seriesStore(db.table).find({ project }, [span], new Date(at));
  return hour?.groups('referrers') ?? {};
};

test('a late name takes the place of one with fewer clicks than it got among the others', async () => {
  const figures = figuresOn(db.table);
  await add(figures, full(5));
  await add(figures, { 'late.example': 3 });
  expect(await referrersOf()).toEqual({ ...full(5), other: 3 });
  await add(figures, { 'late.example': 3 });
  const { 'early-0.example': _, ...others } = full(5);
  expect(await referrersOf()).toEqual({ ...others, 'late.example': 6, other: 5 });
});

test('the others give their place to nobody, however few they are', async () => {
  const figures = figuresOn(db.table);
  await add(figures, full(5));
  await add(figures, { 'rare.example': 1 });
  await add(figures, { 'busier.example': 3 });
  expect(await referrersOf()).toEqual({ ...full(5), other: 4 });
});

test('an exchange whose answer was lost is made once, also if the rare name came again as often', async () => {
  const repeating: Table = {
    ...db.table,
    update: async (input) => {
      if (!input.ConditionExpression?.startsWith('#least')) return db.table.update(input);
      await db.table.update(input);
      await db.table.update({
        Key: input.Key ?? { PK: '', SK: '' },
        UpdateExpression: 'ADD #least :count',
        ExpressionAttributeNames: { '#least': String(input.ExpressionAttributeNames?.['#least']) },
        ExpressionAttributeValues: { ':count': input.ExpressionAttributeValues?.[':count'] },
      });
      return db.table.update(input);
    },
  };
  const figures = figuresOn(repeating);
  await add(figures, full(5));
  await add(figures, { 'late.example': 7 });
  expect(await referrersOf()).toEqual({ ...full(5), 'late.example': 7, other: 5 });
});

test('an exchange that is refused loses nothing, and is not tried again with the same clicks', async () => {
  let refused = 0;
  const refusing: Table = {
    ...db.table,
    update: (input) => {
      if (!input.ConditionExpression?.startsWith('#least')) return db.table.update(input);
      refused += 1;
      return Promise.reject(new ConditionFailed(undefined));
    },
  };
  const figures = figuresOn(refusing);
  await add(figures, full(5));
  await add(figures, { 'late.example': 7 });
  await add(figures, { 'late.example': 1 });
  expect(refused).toBe(1);
  expect(await referrersOf()).toEqual({ ...full(5), other: 8 });
});

test('only days before a day establish names: what is busy on it must find room', async () => {
  const figures = figuresOn(db.table);
  await add(figures, { 'today.example': 100 });
  const next = begin + hourMs;
  await add(figures, full(5), next);
  await add(figures, { 'today.example': 1 }, next);
  expect(await referrersOf(next)).toEqual({ ...full(5), other: 1 });
  const tomorrow = begin + 24 * hourMs;
  await add(figures, full(5), tomorrow);
  await add(figures, { 'today.example': 1 }, tomorrow);
  expect(await referrersOf(tomorrow)).toEqual({ ...full(5), 'today.example': 1 });
});

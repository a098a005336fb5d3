import { dayMs, hourMs } from '../../../core/base/durations.ts';
import type { ClickRecord } from '../../../core/figures/click-record.ts';
import { itemsOf } from '../../../core/figures/figure-items.ts';
import { figureStore } from '../../../core/figures/figure-store.ts';
import { projectStore } from '../../../core/projects/project-store.ts';
import { figuresKey } from '../../../core/table/figure-keys.ts';
import { refusal, startEngineProxy, startFaultyEngine } from '../../../local/testing.ts';
import { localAccess } from '../../../ops/target/service-access.ts';
import { hasUnsettled, settleAtStart } from '../../../ops/upgrade/at-start.ts';
import { settleFigures } from '../../../ops/upgrade/settle.ts';
import { settleOwner } from '../../../ops/upgrade/settled-owner.ts';
import { aClickRecord } from '../../support/builders.ts';
import { startTable, type TestTable, tableName } from '../../support/engine.ts';
import { type Delivery, expectExact, left, now, project } from '../../support/figures-of-1.0.0.ts';
import { fillTable } from '../../support/fill-table.ts';

const retentionDays = 30;

let db: TestTable;
beforeEach(async () => {
  db = await startTable();
  await fillTable({ endpoint: db.endpoint, name: tableName }, left.items);
});
afterEach(() => db.stop());

const settle = (at = now, endpoint = db.endpoint) =>
  settleFigures(
    {
      access: localAccess(endpoint),
      tableName,
      figuresRetentionDays: retentionDays,
    },
    () => undefined,
    { now: new Date(at), watch: 0 },
  );

const count = async (deliveries: readonly Delivery[], at: number) => {
  const figures = figureStore(db.table, { clock: () => new Date(at) });
  for (const delivery of deliveries)
    for (const item of itemsOf(delivery, retentionDays)) await figures.add(item);
};

let sequence = 10n ** 30n;
const clickAt = (code: string, time: number): ClickRecord => {
  sequence += 1n;
  const fields = { project, code, at: Math.floor(time / 1000), created: Math.floor(time / 1000) };
  return aClickRecord({ ...fields, position: `z${sequence}` }, 0);
};

test('figures of 1.0.0 are exact once settled, stay so with batches that come again, and when days are closed', async () => {
  expect(await settle()).toEqual({ settled: 5, before: 0 });
  await expectExact(db.table, left.deliveries, now);
  // The last batch of each shard comes again, with what follows it.
  const [first, second] = left.deliveries.slice(-2) as [Delivery, Delivery];
  const more: Delivery[] = [
    { shard: first.shard, records: [...first.records, clickAt('launch', now), clickAt('fresh', now)] },
    { shard: second.shard, records: [...second.records, clickAt('launch', now)] },
  ];
  await count(more, now);
  const all = [...left.deliveries.slice(0, -2), ...more];
  await expectExact(db.table, all, now);
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
  await expectExact(db.table, [...all, ...late.slice(0, 1)], now + hourMs);
  await count(late.slice(1), later);
  await expectExact(db.table, [...all, ...late], later);
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
  await expectExact(db.table, left.deliveries, now);
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

test('a start settles what is left, also after an interruption, and reads each project once where nothing is', async () => {
  const subscription = 'active';
  await projectStore(db.table).create({ id: project, name: '', subscription, createdAt: left.now });
  const printed: string[] = [];
  /** A start that is killed before its next update; resolves to the operations that it sent. */
  const start = async (updates: number) => {
    const operations: (string | undefined)[] = [];
    let left = updates;
    const mortal = await startEngineProxy(db.endpoint, async ({ operation }, forward) => {
      operations.push(operation);
      if (operation === 'UpdateItem') left -= 1;
      return left < 0 ? refusal({ type: 'AccessDeniedException', message: 'Killed' }) : forward();
    });
    const access = localAccess(mortal.endpoint);
    await settleAtStart({ access, tableName, figuresRetentionDays: retentionDays }, (text) =>
      printed.push(text),
    ).catch((error) => expect(error.message).toContain('Killed'));
    await mortal.stop();
    return operations;
  };
  for (let updates = 0; await hasUnsettled(db.table); updates = 2 * updates + 1) await start(updates);
  await expectExact(db.table, left.deliveries, now);
  expect(new Set(printed.splice(0))).toEqual(new Set(['Settling the figures of 1.0.0 …']));
  expect([await start(0), printed]).toEqual([['Query', 'BatchGetItem'], []]);
}, 30_000);

test('figures are settled also if each answer to that is lost once', async () => {
  const faulty = await startFaultyEngine(db.endpoint);
  const seen = new Set<string>();
  faulty.fault = (operation, body) => {
    if (operation !== 'UpdateItem' || seen.has(body)) return 'none';
    seen.add(body);
    return 'lose-answer';
  };
  const settled = await settle(now, faulty.endpoint).finally(faulty.stop);
  expect(settled).toEqual({ settled: 5, before: 0 });
  await expectExact(db.table, left.deliveries, now);
}, 30_000);

import { figureStore } from '../../core/clicks/figure-store.ts';
import { ConditionFailed, type Updates } from '../../core/table/table.ts';
import { type FaultyEngine, startFaultyEngine } from '../../local/test/faulty-engine.ts';
import { startTable, type TestTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { runSchedule, type World } from './schedule.ts';

type UpdateInput = Parameters<Updates['update']>[0];

const schedules = Number(process.env.FAULT_SCHEDULES ?? 20);
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

let db: TestTable;
let faulty: FaultyEngine;
let world: World;
let log: ReturnType<typeof captureFunctionLog>;
beforeAll(async () => {
  log = captureFunctionLog();
  db = await startTable();
  faulty = await startFaultyEngine(db.endpoint);
  world = {
    endpoint: db.endpoint,
    faulty,
    resource: db.resource,
    figures: figureStore,
  };
});
afterAll(async () => {
  log.stop();
  await faulty.stop();
  await db.stop();
});

test(
  `figures are exact, and never wrong meanwhile, under ${schedules} schedules of faults`,
  async () => {
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
      await runSchedule(seed, world).catch((cause) => {
        throw new Error(`FAULT_SEED=${seed}: ${cause.message}`, { cause });
      });
    }
  },
  schedules * 5000,
);

describe('broken counting is detected:', () => {
  const isAddition = ({ UpdateExpression }: UpdateInput) =>
    UpdateExpression?.includes('list_append') === true;
  /** Of a day or an hour. */
  const isSettlement = ({ Key }: UpdateInput) => /^[DLH]#/.test(Key?.SK);
  const isDrop = ({ UpdateExpression }: UpdateInput) => UpdateExpression?.includes('REMOVE #q') === true;

  /** Makes some writes whatever is stored already. */
  const unconditionally =
    (isOne: (input: UpdateInput) => boolean) =>
    (table: Updates): Updates['update'] =>
    (input) => {
      if (!isOne(input)) return table.update(input);
      const { ConditionExpression: _, ...unconditional } = input;
      const { ':first': __, ':settled': ___, ...values } = input.ExpressionAttributeValues ?? {};
      return table.update({ ...unconditional, ExpressionAttributeValues: values });
    };

  const withOverlapsSkipped =
    (table: Updates): Updates['update'] =>
    (input) =>
      table.update(input).catch((error) => {
        if (error instanceof ConditionFailed) return {};
        throw error;
      });

  const withDroppedTooEarly = (table: Updates): Updates['update'] => {
    const waiting: UpdateInput[] = [];
    return async (input) => {
      if (!isSettlement(input)) {
        const done = await table.update(input);
        if (isDrop(input))
          for (const late of waiting.splice(0)) await table.update(late).catch(() => undefined);
        return done;
      }
      waiting.push(input);
      return {};
    };
  };

  test.each([
    ['repeated records are added again', unconditionally(isAddition)],
    ['new records are skipped along with repeated ones', withOverlapsSkipped],
    ['additions are settled again', unconditionally(isSettlement)],
    ['additions are dropped before days and hours have them', withDroppedTooEarly],
    ['additions are dropped twice, along with later ones', unconditionally(isDrop)],
  ])('%s', async (_, breakUpdate) => {
    const figures: World['figures'] = (table, options) =>
      figureStore({ ...table, update: breakUpdate(table) }, options);
    const run = async () => {
      for (let seed = 1; seed <= 50; seed += 1) await runSchedule(seed, { ...world, figures });
    };
    await expect(run()).rejects.toThrow(/shows|showed/);
  });
});

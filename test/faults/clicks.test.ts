import type * as Clicks from '../../core/clicks/click-store.ts';
import type * as LeanTable from '../../core/table/lean-table.ts';
import type * as Table from '../../core/table/table.ts';
import type { Updates } from '../../core/table/table.ts';
import type * as AggregateClicks from '../../lambdas/aggregate-clicks.ts';
import { inContainer } from '../support/container.ts';
import { startTable, type TestTable } from '../support/engine.ts';
import { type FaultyEngine, startFaultyEngine } from '../support/faulty-engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { runSchedule, type World } from './schedule.ts';

type UpdateInput = Parameters<Updates['update']>[0];

const schedules = Number(process.env.FAULT_SCHEDULES ?? 200);
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

let db: TestTable;
let faulty: FaultyEngine;
let world: World;
/** Made to call the faulty engine. */
let service: typeof Clicks & typeof LeanTable & typeof Table & typeof AggregateClicks;
let log: ReturnType<typeof captureFunctionLog>;
beforeAll(async () => {
  log = captureFunctionLog();
  db = await startTable();
  faulty = await startFaultyEngine(db.endpoint);
  service = inContainer(
    {
      AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    () => ({
      ...(require('../../core/clicks/click-store.ts') as typeof Clicks),
      ...(require('../../core/table/lean-table.ts') as typeof LeanTable),
      ...(require('../../core/table/table.ts') as typeof Table),
      ...(require('../../lambdas/aggregate-clicks.ts') as typeof AggregateClicks),
    }),
  );
  world = {
    endpoint: db.endpoint,
    faulty,
    client: db.client,
    resource: db.resource,
    recordClick: service.recordClick,
    leanTable: service.leanTable,
    aggregator: service.aggregator,
  };
});
afterAll(async () => {
  log.stop();
  await faulty.stop();
  await db.stop();
});

test(
  `figures are exact, and never wrong on the way, under ${schedules} schedules of faults`,
  async () => {
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
      await runSchedule(seed, world).catch((cause) => {
        throw new Error(`FAULT_SEED=${seed}: ${cause.message}`, { cause });
      });
    }
  },
  schedules * 5000,
);

describe('counting that is broken is caught:', () => {
  const isAddition = ({ UpdateExpression }: UpdateInput) => UpdateExpression?.startsWith('ADD') === true;

  const withoutWatermark =
    (table: Updates): Updates['update'] =>
    (input) => {
      if (!isAddition(input)) return table.update(input);
      const { ConditionExpression: _, ...unconditional } = input;
      const { ':first': __, ...values } = input.ExpressionAttributeValues ?? {};
      return table.update({ ...unconditional, ExpressionAttributeValues: values });
    };

  const withOverlapsSkipped =
    (table: Updates): Updates['update'] =>
    (input) =>
      table.update(input).catch((error) => {
        if (error instanceof service.ConditionFailed) return {};
        throw error;
      });

  test.each([
    ['records that come again are added again', withoutWatermark],
    ['what is new in a batch goes with what is old', withOverlapsSkipped],
  ])('%s', async (_, breakUpdate) => {
    const aggregator: World['aggregator'] = (table) => service.aggregator({ update: breakUpdate(table) });
    const run = async () => {
      for (let seed = 1; seed <= 50; seed += 1) await runSchedule(seed, { ...world, aggregator });
    };
    await expect(run()).rejects.toThrow(/shows|showed/);
  });
});

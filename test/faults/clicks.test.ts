import type * as Clicks from '../../core/store/clicks.ts';
import { ConditionFailed, type Table, tableClient } from '../../core/store/table.ts';
import { aggregator } from '../../lambdas/aggregate-clicks.ts';
import { inContainer } from '../support/container.ts';
import { startTable, type TestTable } from '../support/engine.ts';
import { type FaultyEngine, startFaultyEngine } from '../support/faulty-engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { quickRetries } from '../support/quick-retries.ts';
import { runSchedule, type World } from './schedule.ts';

type UpdateInput = Parameters<Table['update']>[0];

const schedules = Number(process.env.FAULT_SCHEDULES ?? 200);
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

let db: TestTable;
let faulty: FaultyEngine;
let world: World;
let log: ReturnType<typeof captureFunctionLog>;
beforeAll(async () => {
  log = captureFunctionLog();
  db = await startTable();
  faulty = await startFaultyEngine(db.endpoint);
  const { recordClick } = inContainer(
    {
      AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    () => require('../../core/store/clicks.ts') as typeof Clicks,
  );
  world = {
    endpoint: db.endpoint,
    faulty,
    client: db.client,
    faultyClient: tableClient({ endpoint: faulty.endpoint, retryStrategy: quickRetries }),
    resource: db.resource,
    recordClick,
  };
});
afterAll(async () => {
  log.stop();
  world.faultyClient.destroy();
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
    (table: Table): Table['update'] =>
    (input) => {
      if (!isAddition(input)) return table.update(input);
      const { ConditionExpression: _, ...unconditional } = input;
      const { ':first': __, ...values } = input.ExpressionAttributeValues ?? {};
      return table.update({ ...unconditional, ExpressionAttributeValues: values });
    };

  const withOverlapsSkipped =
    (table: Table): Table['update'] =>
    (input) =>
      table.update(input).catch((error) => {
        if (error instanceof ConditionFailed) return {};
        throw error;
      });

  test.each([
    ['records that come again are added again', withoutWatermark],
    ['what is new in a batch goes with what is old', withOverlapsSkipped],
  ])('%s', async (_, breakUpdate) => {
    const aggregate: World['aggregate'] = (table) => aggregator({ ...table, update: breakUpdate(table) });
    const run = async () => {
      for (let seed = 1; seed <= 50; seed += 1) await runSchedule(seed, { ...world, aggregate });
    };
    await expect(run()).rejects.toThrow(/shows|showed/);
  });
});

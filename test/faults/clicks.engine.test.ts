import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import type { DaysTable } from '../../core/analytics/closed-days.ts';
import { startFaultyEngine } from '../../local/testing/faulty-engine.ts';
import { fileTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { describeAtNight } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { runSchedule, type World } from './schedule.ts';

const schedules = Number(process.env.FAULT_SCHEDULES ?? 4);
const firstSeed = Number(process.env.FAULT_SEED ?? 1);

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const world: World = ofFile(() => ({
  endpoint: db.endpoint,
  faulty,
  resource: db.resource,
  analytics: analyticsStore,
}));
ofFile(captureFunctionLog);

test(
  `analytics are exact, and never wrong meanwhile, under ${schedules} schedules of faults`,
  async () => {
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
      await runSchedule(seed, world).catch((cause) => {
        throw new Error(`FAULT_SEED=${seed}: ${cause.message}`, { cause });
      });
    }
  },
  Math.max(180_000, schedules * 5000),
);

// How records overlap depends on the engine's pace: on another engine the same schedules need not show each fault.
const onFirstEngine = process.env.TEST_ENGINE === undefined ? describeAtNight : describe.skip;

onFirstEngine('broken counting is detected:', () => {
  type Break = (table: DaysTable) => Partial<DaysTable>;

  /** Adds whatever is stored already. */
  const addedAgain: Break = (table) => ({
    update: (input) => {
      const { ':first': first, ...values } = input.ExpressionAttributeValues ?? {};
      if (first === undefined) return table.update(input);
      const { ConditionExpression: _, ...unconditional } = input;
      // Nothing but the condition names it so.
      const { '#w': _mark, ...names } = input.ExpressionAttributeNames ?? {};
      return table.update({
        ...unconditional,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      });
    },
  });

  const summedOnce: Break = (table) => ({
    put: ({ Item }) => table.put({ Item, ConditionExpression: 'attribute_not_exists(PK)' }),
  });

  const summedNever: Break = () => ({ put: async () => undefined });

  test.each([
    ['repeated records are added again', addedAgain],
    ['a day is not summed again for late clicks', summedOnce],
    ['days are closed without their sums', summedNever],
  ])('%s', async (_, breakTable) => {
    const analytics: World['analytics'] = (table, options) =>
      analyticsStore({ ...table, ...breakTable(table) }, options);
    const run = async () => {
      for (let seed = 1; seed <= 12; seed += 1) await runSchedule(seed, { ...world, analytics });
    };
    await expect(run()).rejects.toThrow(/shows|showed/);
  });
});

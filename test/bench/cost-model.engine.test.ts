import { type ClickUnits, clickUnits } from '../../ops/cost/click-units.ts';
import { costInputs, type Spread } from '../../ops/cost/inputs.ts';
import { type MeteredClicks, startClicksInTime } from '../support/clicks-in-time.ts';
import { startTable, type TestTable } from '../support/engine.ts';
import { isNightly } from '../support/nightly.ts';

let db: TestTable;
let clicks: Awaited<ReturnType<typeof startClicksInTime>>;
beforeAll(async () => {
  if (!isNightly) return;
  db = await startTable();
  clicks = await startClicksInTime(db);
});
afterAll(async () => {
  await clicks?.stop();
  await db?.stop();
});

const inputs = costInputs();
const { partitions, shardHours } = inputs.assumed;
const count = 20_000;

const named = (name: string): Spread => {
  const found = inputs.spreads.find((spread) => spread.name === name);
  if (!found) throw new Error(`There is no spread ${name}`);
  return found;
};

/** Units and batches of a click by the engine's meter, and by the model. */
const compare = async (name: string, batchingSeconds: number) => {
  const traffic = named(name);
  const windows = { batchingSeconds, emittingSeconds: 5 };
  const metered = await clicks.meter({ traffic, clicks: count, windows, partitions, shardHours });
  const [seen, expected] = [shares(metered), modelled(clickUnits(traffic, inputs, windows))];
  process.stderr.write(`${name}, ${batchingSeconds} s: ${JSON.stringify({ seen, expected })}\n`);
  return { seen, expected };
};

const shares = ({ redirect, aggregator, emitter }: MeteredClicks) => ({
  reads: (redirect.reads + aggregator.reads + emitter.reads) / count,
  writes: (redirect.writes + aggregator.writes + emitter.writes) / count,
  redirectReads: redirect.reads / count,
  analyticsReads: aggregator.reads / count,
  analyticsWrites: aggregator.writes / count,
  emitterReads: emitter.reads / count,
  batches: aggregator.batches / count,
  emitterBatches: emitter.batches / count,
});

const modelled = ({ aggregator, emitter, ...units }: ClickUnits) => ({
  reads: 1 + units.takedownReads + units.analyticsReads + units.emitterReads,
  writes: 1 + units.analyticsWrites,
  redirectReads: 1 + units.takedownReads,
  analyticsReads: units.analyticsReads,
  analyticsWrites: units.analyticsWrites,
  emitterReads: units.emitterReads,
  batches: 1 / aggregator.clicksInBatch,
  emitterBatches: 1 / emitter.clicksInBatch,
});

(isNightly ? test : test.skip).each([
  ['hot', 1],
  ['medium', 1],
  ['cold', 1],
  ['medium', 8],
  ['medium', 55],
  ['medium', 290],
])(
  '%s clicks, gathered for %i s, take the units of the model',
  async (name, batchingSeconds) => {
    const { seen, expected } = await compare(name, batchingSeconds);
    expect(Math.abs(seen.writes / expected.writes - 1)).toBeLessThan(0.05);
    expect(Math.abs(seen.reads / expected.reads - 1)).toBeLessThan(0.05);
  },
  1_800_000,
);

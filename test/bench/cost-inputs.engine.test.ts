import { batchingSecondsOf } from '../../lib/batching.ts';
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

type FiguresWithin = keyof Spread['analyticsWrites'];

/** Units and batches of a click by the engine's meter, and by the inputs. */
const compare = async (name: string, within: FiguresWithin) => {
  const spread = named(name);
  const batchingSeconds = batchingSecondsOf({ like: 'prod', figuresWithin: Number(within) as 2 });
  const windows = { batchingSeconds, emittingSeconds: 5 };
  const metered = await clicks.meter({ spread, clicks: count, windows, partitions, shardHours });
  const [seen, expected] = [shares(metered), stated(spread, within)];
  process.stderr.write(`${name}, ${within} s: ${JSON.stringify({ seen, expected })}\n`);
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

const stated = ({ perClick, analyticsWrites }: Spread, within: FiguresWithin) => ({
  reads: 1 + perClick.takedownReads + perClick.analyticsReads + perClick.eventBatches,
  writes: 1 + analyticsWrites[within],
});

(isNightly ? test : test.skip).each([
  ['hot', '2'],
  ['medium', '2'],
  ['cold', '2'],
  ['medium', '10'],
  ['medium', '60'],
  ['medium', '300'],
] as const)(
  '%s clicks with figuresWithin=%s take the units in docs/cost-inputs.json',
  async (name, within) => {
    const { seen, expected } = await compare(name, within);
    expect(Math.abs(seen.writes / expected.writes - 1)).toBeLessThan(0.05);
    expect(Math.abs(seen.reads / expected.reads - 1)).toBeLessThan(0.05);
  },
  1_800_000,
);

import type { DynamoDBRecord } from 'aws-lambda';
import { StreamModel } from '../../bench/launch-simulation/stream-model.ts';
import { TableModel } from '../../bench/launch-simulation/table-model.ts';
import type { VirtualClock } from '../../bench/launch-simulation/virtual-clock.ts';
import { figureStore } from '../../core/figures/figure-store.ts';
import { openItems } from '../../core/table/port.ts';
import { forBackground } from '../../core/table/retry-policy.ts';
import type { Item, Items } from '../../core/table/table.ts';
import { itemOfWire } from '../../core/table/wire-values.ts';
import { type Click, clickStore, clickWrite, openWrite } from '../../core/visits/click-store.ts';
import { lateClickStore } from '../../core/visits/late-click-store.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import { type Dice, diceOf } from '../support/dice.ts';
import { fileTable } from '../support/engine.ts';
import { openLeanTable } from '../support/lean-table.ts';

const db = fileTable();

/** A clock that stands still, and whose waits are over at once. */
const clock = {
  now: Date.parse('2026-11-22T12:00:00.000Z'),
  after: async () => undefined,
  around: () => 0,
  random: () => 0.5,
} as unknown as VirtualClock;

const clickOf = (dice: Dice, project: string): Click => ({
  project,
  code: 'famous',
  visitor: `visitor-${dice.below(2)}`,
  clickId: `click-${dice.below(12)}`,
  platform: dice.pick(['ios', 'android', 'web']),
  country: dice.pick(['DE', 'FR']),
  referrer: dice.pick(['direct', 'example.com']),
  browser: 'safari',
  os: 'ios',
  trigger: 'link',
  at: new Date(clock.now + dice.below(100) * 3_600_000),
  windowSeconds: dice.pick([86_400, 90 * 86_400]),
});

/** The same clicks, opens and late clicks, whatever the table behind them. */
const click = async (table: Items, dice: Dice, project: string): Promise<void> => {
  const [clicks, late] = [clickStore(table), lateClickStore(table)];
  for (let i = 0; i < 25; i += 1) {
    const click = clickOf(dice, project);
    const { code, visitor, clickId: requestId, at } = click;
    const way = dice.below(3);
    if (way === 0) await clicks.record(clickWrite(click));
    else if (way === 1)
      await clicks.record(
        openWrite({ project, code, visitor, requestId, at, platform: 'ios', isFirst: dice.once(2) }),
      );
    else await late.record({ write: clickWrite(click), isSure: dice.once(2) }, new Date(clock.now));
  }
};

const sorted = (items: readonly Item[]) =>
  items.toSorted((one, other) => (`${one.PK} ${one.SK}` < `${other.PK} ${other.SK}` ? -1 : 1));

test('the model of the table handles the calls of clicks and figures as the engine does', async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const project = `project-${seed}`;
    const model = new TableModel({ clock, count: 4, scale: 1e-6, splitAfterSeconds: 600 });
    const modelled = openItems(model.transport({ weight: 1 }), { name: 'model', policy: forBackground });
    const real = openLeanTable(db.endpoint);
    const records: DynamoDBRecord[] = [];
    const stream = new StreamModel({
      clock,
      batchSize: 1000,
      consume: async ({ Records }) => {
        records.push(...Records);
        return { batchItemFailures: [] };
      },
    });
    model.onChange = (change) => stream.take({ ...change, shard: 'shard' });
    await click(modelled, diceOf(seed), project);
    model.onChange = () => undefined;
    await click(real, diceOf(seed), project);
    await new Promise(setImmediate);
    for (const table of [modelled, real])
      for (let first = 0; first < records.length; first += 7)
        await aggregator({ stores: { figures: figureStore(table, { clock: () => new Date(clock.now) }) } })({
          shardId: 'shard',
          Records: records.slice(first, first + 9),
        });
    const shown = sorted([...model.all('')].map(itemOfWire));
    const keys = new Set(shown.map(({ PK }) => String(PK)));
    const stored = await Promise.all(
      [...keys].map((PK) =>
        db.table.query({
          KeyConditionExpression: 'PK = :PK',
          ExpressionAttributeValues: { ':PK': PK },
          ConsistentRead: true,
        }),
      ),
    );
    expect(shown.length).toBeGreaterThan(3);
    expect(shown).toEqual(sorted(stored.flat()));
  }
});

import { faultsOf, type ScenarioResult } from '../../bench/launch-simulation/result.ts';
import type { Scenario } from '../../bench/launch-simulation/scenarios.ts';
import { simulate } from '../../bench/launch-simulation/simulate.ts';

/** The scenarios of `npm run bench -- famous` take minutes; these a moment. */
const play = (more: Partial<Scenario>) =>
  simulate({
    name: 'a short one',
    visits: 5000,
    riseSeconds: 2,
    holdSeconds: 6,
    isPrepared: false,
    quota: 1000,
    scale: 100,
    ...more,
  });

describe('more visits than the table takes', () => {
  let [unprepared, prepared] = [] as unknown as [ScenarioResult, ScenarioResult];
  beforeAll(async () => {
    [unprepared, prepared] = [await play({}), await play({ isPrepared: true })];
  });

  test('are all sent on and all counted', () => {
    for (const result of [unprepared, prepared]) {
      expect(faultsOf(result)).toEqual([]);
      expect(result.redirected).toBe(result.visits - result.throttled);
      expect(result.counted).toBe(result.redirected);
    }
  });

  test('are read from copies, and wait in the queue for the time that the table needs', () => {
    expect(unprepared.copies).toBeGreaterThan(0.2);
    expect(unprepared.queued).toBeGreaterThan(unprepared.visits / 2);
    // A key gives a thousand a second.
    expect(unprepared.completeAfterSeconds).toBeGreaterThan(unprepared.queued / 1000 / 2);
  });

  test('are in the figures sooner if the link is prepared', () => {
    expect(prepared.queued).toBeLessThan(unprepared.queued);
    expect(prepared.completeAfterSeconds).toBeLessThan(unprepared.completeAfterSeconds);
  });
});

test.each(['errors', 'silent'] as const)(
  'visitors get the busy page while the table is away (%s)',
  async (how) => {
    const result = await play({ visits: 300, isPrepared: true, scale: 10, away: { how, from: 1, to: 8 } });
    expect(faultsOf(result)).toEqual([]);
    expect(result.busy).toBeGreaterThan(0);
    expect(result.busyTo).toBeLessThan(8 + 4);
    expect(result.counted).toBe(result.redirected - result.clickUncertain);
  },
);

test('clicks that the queue also refuses are lost, with a metric', async () => {
  const result = await play({ holdSeconds: 1, queueRefuses: 0.5 });
  expect(faultsOf(result)).toEqual([]);
  expect(result.clickLost).toBeGreaterThan(0);
  expect(result.counted).toBe(result.redirected - result.clickLost);
});

test('visitors whom the firewall refuses come again or leave, and all others are counted', async () => {
  const result = await play({
    isPrepared: true,
    partitions: 0.5,
    tail: { seconds: 6, halvesIn: 2 },
    firewall: { visitsPerAddress: 1000, ofOneAddress: 0.1 },
    reloads: 0.5,
  });
  expect(faultsOf(result)).toEqual([]);
  expect(result.refused).toBeGreaterThan(1000);
  expect(result.redirected).toBe(result.visits - result.throttled - result.refused);
  expect(result.counted).toBe(result.redirected);
  // Two seconds to the peak, six of it, and a tail of 2 ÷ ln 2 × 7/8.
  const without = 5000 * (1 + 6 + 2.5);
  expect(result.visits / without).toBeGreaterThan(1.02);
  expect(result.visits / without).toBeLessThan(1.2);
});

test('the same seed plays the same scenario', async () => {
  const [one, other] = [await play({ holdSeconds: 0 }), await play({ holdSeconds: 0 })];
  expect(one.visits).toBeGreaterThan(1000);
  expect(other).toEqual(one);
});

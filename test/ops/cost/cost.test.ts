import fc from 'fast-check';
import { batchesOf } from '../../../ops/cost/batches.ts';
import { sumOf } from '../../../ops/cost/bill.ts';
import { changesOf } from '../../../ops/cost/changes.ts';
import { clickUnits } from '../../../ops/cost/click-units.ts';
import { idleMonth } from '../../../ops/cost/idle.ts';
import { costInputs } from '../../../ops/cost/inputs.ts';
import { type DeployedChoices, type MonthlyUsage, monthBill } from '../../../ops/cost/month.ts';
import { byRequest, millionRedirects, starts } from '../../../ops/cost/redirects.ts';
import { clicksAnHour, countOfLinks, type Traffic } from '../../../ops/cost/traffic.ts';
import { visitsByRank } from '../../../ops/cost/zipf.ts';

const inputs = costInputs();
const { prices, assumed } = inputs;
const budget = { redirect: { reads: 1, writes: 1 }, 'get link': { reads: 2, writes: 1 } };
const model = { inputs: { ...inputs, callMix: { 'get link': 1 } }, budget };
const windows = { batchingSeconds: 1, emittingSeconds: 5 };
const choices = { ...windows, hasFirewall: false, table: byRequest(inputs) };
const of = (lines: readonly (readonly [string, string, number])[], what: string) =>
  lines.find(([name]) => name === what)?.[2];

const evenly = (links: number, each: number): Traffic => ({
  projects: 1,
  groups: [{ links, clicksAnHour: each }],
});

const traffics = fc
  .record({
    projects: fc.integer({ min: 1, max: 50 }),
    groups: fc.array(
      fc.record({
        links: fc.integer({ min: 1, max: 10_000 }),
        clicksAnHour: fc.double({ min: 0.001, max: 1_000_000, noNaN: true }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map((traffic): Traffic => traffic);

test('every input has a value and its source', async () => {
  const { default: stated } = await import('../../../docs/cost-inputs.json', { with: { type: 'json' } });
  for (const { value, source } of Object.values({
    ...stated.prices,
    ...stated.measured,
    ...stated.assumed,
  })) {
    expect(value).toBeGreaterThan(0);
    expect(source.length).toBeGreaterThan(5);
  }
});

describe('batches', () => {
  const reader = { seconds: 1, most: 1000, windowSeconds: 0 };

  test('for one link have only its clicks', () => {
    const { clicksInBatch, links, projects } = batchesOf(evenly(1, 360_000), reader, assumed);
    expect(clicksInBatch).toBeCloseTo(101);
    expect(links).toBeCloseTo(1 / 101);
    expect(projects).toBeCloseTo(1 / 101);
  });

  test('for links that are seldom clicked have one click each, and end each window', () => {
    const { clicksInBatch, links, invocations } = batchesOf(
      evenly(100, 0.001),
      { ...reader, windowSeconds: 900 },
      assumed,
    );
    for (const almost of [clicksInBatch, links, invocations / 2]) expect(almost).toBeCloseTo(1, 1);
  });

  test('never hold more than a full batch, and write for each click once at most', () => {
    fc.assert(
      fc.property(traffics, fc.constantFrom(0, 1, 8, 55, 290), (traffic, seconds) => {
        const { clicksInBatch, links, projects } = batchesOf(traffic, { ...reader, seconds }, assumed);
        expect(clicksInBatch).toBeGreaterThanOrEqual(1);
        expect(clicksInBatch).toBeLessThanOrEqual(1000);
        for (const share of [links, projects]) {
          expect(share).toBeLessThanOrEqual(1 + 1e-9);
          expect(share).toBeGreaterThanOrEqual(1 / clicksInBatch - 1e-9);
        }
      }),
    );
  });
});

test('gathering for longer never costs more', () => {
  fc.assert(
    fc.property(traffics, (traffic) => {
      const totals = [1, 8, 55, 290].map((batchingSeconds) =>
        sumOf(millionRedirects(inputs, budget, traffic, { ...choices, batchingSeconds })),
      );
      for (const [i, total] of totals.entries())
        expect(total).toBeLessThanOrEqual((totals[i - 1] ?? total) + 1e-9);
    }),
  );
});

test('clicks that come days apart write an hour and a day each', () => {
  const { analyticsWrites, analyticsReads } = clickUnits(evenly(1, 0.0001), inputs, windows);
  // Totals, an hour of link and project; the day of both, the project's by link; the boundaries of both.
  expect(analyticsWrites).toBeCloseTo(3 + 3 + 2, 1);
  // The boundaries, and the hours to sum.
  expect(analyticsReads).toBeCloseTo(2 + 2, 1);
});

test('prices of table units are per million', () => {
  const [spread] = inputs.spreads;
  const lines = millionRedirects(inputs, { redirect: { reads: 3, writes: 2 } }, spread as Traffic, choices);
  expect(of(lines, 'Table reads: the link')).toBeCloseTo(3 * prices.tableReadsPerMillion);
  expect(of(lines, 'Table writes: the click')).toBeCloseTo(2 * prices.tableWritesPerMillion);
  expect(() => millionRedirects(inputs, {}, spread as Traffic, choices)).toThrow(
    "'redirect' has no measurement",
  );
});

/** Prices of a provisioned table, of which `use` is the used share on average. */
const provisioned = (use: number) => {
  const hours = 1_000_000 / 3600 / use;
  return { reads: hours * prices.tableReadUnitHour, writes: hours * prices.tableWriteUnitHour };
};

test('a provisioned table costs the less the more of it is used', () => {
  // 0.00065 dollars for an hour's 3,600 writes.
  expect(provisioned(1).writes).toBeCloseTo((prices.tableWriteUnitHour * 1_000_000) / 3600);
  expect(provisioned(0.5).reads).toBeCloseTo(2 * provisioned(1).reads);
  expect(provisioned(0.3).writes).toBeLessThan(byRequest(inputs).writes);
  expect(provisioned(0.28).writes).toBeGreaterThan(byRequest(inputs).writes);
});

test('functions start for each visit of a rare visitor, and for one in a hundred where many come', () => {
  const start = (200 / 1000) * (512 / 1024) * prices.functionGigabyteSecond * 1_000_000;
  const seldom = sumOf(starts(inputs, evenly(1, 0.001), windows));
  const often = sumOf(starts(inputs, evenly(1, 360_000), windows));
  // The redirect, a batch of each reader, and the end of a window.
  expect(seldom).toBeCloseTo(4 * start, 1);
  expect(often).toBeCloseTo(start / 100, 2);
});

test('visits by rank are as many as were asked for, and the first link has the most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e6 }), (visits, links) => {
      const groups = visitsByRank(visits, links);
      const traffic = { projects: 1, groups };
      expect(clicksAnHour(traffic) * 720).toBeCloseTo(visits, -3);
      expect(countOfLinks(traffic)).toBe(links);
      expect(groups[0]?.clicksAnHour).toBe(Math.max(...groups.map((group) => group.clicksAnHour)));
    }),
    { numRuns: 30 },
  );
});

const fixed = {
  alarmMetrics: 10,
  ownMetrics: 5,
  dashboards: 1,
  secrets: 2,
  queues: 2,
  firewalls: 2,
  firewallRules: 5,
};
const deployed: DeployedChoices = { like: 'prod', figuresWithin: 2, uniqueWindowDays: 90, fixed };
const usage: MonthlyUsage = {
  traffic: { projects: 1, groups: visitsByRank(3_000_000, 5000) },
  links: 5000,
  calls: 100_000,
};

test('a stage without firewalls pays for none', () => {
  expect(of(idleMonth(inputs, { ...fixed, firewalls: 0, firewallRules: 0 }), 'Firewalls')).toBeUndefined();
  expect(of(idleMonth(inputs, fixed), 'Firewalls')).toBe(15);
});

test('a month without a visit costs only the fixed resources', () => {
  const quiet = { traffic: { projects: 1, groups: [] }, links: 0, calls: 0 };
  expect(sumOf(monthBill(model, quiet, deployed))).toBeCloseTo(sumOf(idleMonth(inputs, fixed)));
});

const quiet = fc.constantFrom<Traffic>(
  { projects: 1, groups: [] },
  { projects: 1, groups: [{ links: 10, clicksAnHour: 0 }] },
);

test('without a visit nothing is NaN', () => {
  fc.assert(
    fc.property(quiet, fc.nat(10_000_000), fc.boolean(), (traffic, calls, isExported) => {
      const month = { traffic, links: countOfLinks(traffic), calls };
      const chosen = { ...deployed, export: isExported };
      const bill = monthBill(model, month, chosen);
      const changes = changesOf(model, month, chosen, fixed);
      const numbers = [...bill.map(([, , dollars]) => dollars), ...changes.map(({ dollars }) => dollars)];
      expect(numbers.filter((dollars) => !Number.isFinite(dollars))).toEqual([]);
    }),
  );
});

test('each change of a setting is the difference of two bills', () => {
  const bill = (chosen: Partial<DeployedChoices>) =>
    sumOf(monthBill(model, usage, { ...deployed, ...chosen }));
  const changes = new Map(
    changesOf(model, usage, deployed, { ...fixed, firewalls: 0, firewallRules: 0 }).map((change) => [
      change.setting,
      change.dollars,
    ]),
  );
  expect(changes.get('figuresWithin=60')).toBeCloseTo(bill({ figuresWithin: 60 }) - bill({}));
  expect(changes.get('figuresWithin=60')).toBeLessThan(0);
  // The firewalls themselves, and the requests of visits and calls.
  expect(changes.get('waf=off')).toBeCloseTo(-15 - 3.1 * prices.firewallRequestsPerMillion);
  expect(changes.has('figuresWithin=2')).toBe(false);
});

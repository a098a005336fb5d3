import { sumOf } from '../../../ops/cost/bill.ts';
import { costInputs, million, type Spread } from '../../../ops/cost/inputs.ts';
import { idleMonth, millionCalls, millionCopies, monthBill } from '../../../ops/cost/month.ts';
import { millionRedirects, starts } from '../../../ops/cost/redirects.ts';

const inputs = costInputs();
const { prices } = inputs;
const budget = { redirect: { reads: 3, writes: 2 }, 'get link': { reads: 2, writes: 1 } };
const model = { inputs: { ...inputs, callMix: { 'get link': 1 } }, budget };
const of = (lines: readonly (readonly [string, string, number])[], what: string) =>
  lines.find(([name]) => name === what)?.[2];
const [hot, medium, cold] = inputs.spreads as [Spread, Spread, Spread];

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

test('clicks that arrive together, and analytics that come later, cost less', () => {
  const totals = [hot, medium, cold].map((spread) => sumOf(millionRedirects(model, spread)));
  expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  for (const { analyticsWrites } of inputs.spreads) {
    const units = [2, 10, 60, 300].map((within) => analyticsWrites[within as 2]);
    expect(units).toEqual(units.toSorted((a, b) => b - a));
  }
});

test('prices of table units are per million', () => {
  const lines = millionRedirects(model, hot);
  expect(of(lines, 'Table reads: the link')).toBeCloseTo(3 * prices.tableReadsPerMillion);
  expect(of(lines, 'Table writes: the click')).toBeCloseTo(2 * prices.tableWritesPerMillion);
  expect(() => millionRedirects({ ...model, budget: {} }, hot)).toThrow("'redirect' has no measurement");
});

/** Prices of a provisioned table, of which `use` is the used share on average. */
const provisioned = (use: number) => {
  const hours = 1_000_000 / 3600 / use;
  return { reads: hours * prices.tableReadUnitHour, writes: hours * prices.tableWriteUnitHour };
};

test('a provisioned table costs less on demand below 29 % of use', () => {
  expect(provisioned(0.3).writes).toBeLessThan(prices.tableWritesPerMillion);
  expect(provisioned(0.28).writes).toBeGreaterThan(prices.tableWritesPerMillion);
});

test('functions start for each visit of a rare visitor, and for one in a hundred where many come', () => {
  const start = (200 / 1000) * (512 / 1024) * prices.functionGigabyteSecond * 1_000_000;
  // The redirect, a batch of each reader, and the end of most windows.
  expect(starts(inputs, cold, 0.0001)).toBeCloseTo(3.88 * start, 1);
  expect(starts(inputs, hot, 6000)).toBeCloseTo(start / 100, 2);
});

const fixed = { alarmMetrics: 10, dashboards: 1, secrets: 2, queues: 2, firewalls: 2, firewallRules: 5 };

test('a stage without firewalls pays for none', () => {
  expect(of(idleMonth(inputs, { ...fixed, firewalls: 0, firewallRules: 0 }), 'Firewalls')).toBeUndefined();
  expect(of(idleMonth(inputs, fixed), 'Firewalls')).toBe(15);
});

test.each(inputs.spreads)(
  'a month of $name clicks costs the fixed resources, and each visit, call and link',
  (spread) => {
    const month = (visits: number, calls: number) =>
      sumOf(monthBill(model, { visits, calls, links: 0, spread }, fixed));
    const idle = sumOf(idleMonth(inputs, fixed));
    expect(month(0, 0)).toBeCloseTo(idle);
    expect(month(0, million)).toBeCloseTo(
      idle + sumOf(millionCalls(model)) + prices.firewallRequestsPerMillion,
    );
    expect(month(million, 0)).toBeGreaterThan(
      idle + sumOf(millionRedirects(model, spread)) + prices.firewallRequestsPerMillion,
    );
  },
);

test('a second region costs its fixed resources and a copy of each change, in one line', () => {
  const standby = { ...fixed, alarmMetrics: 15, secrets: 3 };
  const usage = { visits: 0, calls: million, links: 0, spread: medium };
  const ofWrites = { ...model, inputs: { ...inputs, callMix: { 'get link': 0.75, 'create link': 0.25 } } };
  const budgeted = { ...ofWrites, budget: { ...budget, 'create link': { reads: 1, writes: 1 } } };
  const line = of(monthBill(budgeted, { ...usage, standby }, fixed), 'Second region');
  const more = 5 * prices.alarmMetricMonth + prices.secretMonth;
  expect(line).toBeCloseTo(more + millionCopies(inputs) / 4);
  expect(of(monthBill(budgeted, usage, fixed), 'Second region')).toBeUndefined();
});

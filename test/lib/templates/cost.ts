import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bill } from '../../../ops/cost/bill.ts';
import { currentCostPage } from '../../../ops/cost/current.ts';
import { exampleMonth } from '../../../ops/cost/example-month.ts';
import { figureUnits } from '../../../ops/cost/figure-writes.ts';
import { type CostInputs, edgeOfMillion, idleMonth, millionRedirects } from '../../../ops/cost/page.ts';
import { withoutTraces } from '../../support/deployment.ts';

const root = path.join(import.meta.dirname, '../../..');

test('docs/cost.md is what `npm run generate` writes', () => {
  const traces = withoutTraces();
  const page = currentCostPage();
  traces.restore();
  expect(readFileSync(path.join(root, 'docs/cost.md'), 'utf8')).toBe(page);
});

const inputs: CostInputs = JSON.parse(readFileSync(path.join(root, 'docs/cost-inputs.json'), 'utf8'));
const of = (lines: readonly (readonly [string, string, number])[], what: string) =>
  lines.find(([name]) => name === what)?.[2];

test('prices of table units are per million', () => {
  const [spread = aSpread] = inputs.spreads;
  const lines = millionRedirects(inputs, { redirect: { reads: 3, writes: 2 } }, spread);
  expect(of(lines, 'Table reads')).toBeCloseTo(3 * inputs.prices.tableReadsPerMillion);
  expect(of(lines, 'Table writes')).toBeCloseTo(2 * inputs.prices.tableWritesPerMillion);
  expect(() => millionRedirects(inputs, {}, spread)).toThrow("Nobody has measured 'redirect'");
});

const aSpread = {
  name: 'some',
  says: 'some',
  clicksInBatch: 10,
  linksInBatch: 2,
  clicksAnHour: { link: 1000, project: 2000 },
  units: { totals: 2, linkHour: 3, projectHour: 4, byLink: 5 },
};

test("a batch's figures cost two writes for each link and one for the project, and a part of their days", () => {
  const days = (1 + 2 / 8) / 24_000 + (2 + 5) / 48_000;
  expect(figureUnits(aSpread).writes).toBeCloseTo((2 * (2 + 3) + 4) / 10 + days);
  expect(figureUnits(aSpread).reads).toBeCloseTo(1 / 1000 + 4 / 2000 + (3 / 1000 + 16 / 2000) / 4);
});

test('clicks that come days apart cost an hour and a day each', () => {
  const alone = { link: 0.01, project: 0.01 };
  const { writes, reads } = figureUnits({
    ...aSpread,
    clicksInBatch: 1,
    linksInBatch: 1,
    clicksAnHour: alone,
  });
  expect(writes).toBeCloseTo(2 + 3 + 4 + (1 + 2 / 8) + (2 + 5));
  expect(reads).toBeCloseTo(1 + 1 + (3 + 16) / 4);
});

test('plans are compared with what they replace', () => {
  const { prices } = inputs;
  const bare = { ...inputs, measured: { ...inputs.measured, redirectAnswerBytes: 0 } };
  expect(edgeOfMillion(bare)).toBeCloseTo(
    prices.edgeRequestsPerMillion + prices.edgeFunctionsPerMillion + prices.firewallRequestsPerMillion,
  );
  const answers = { ...inputs.measured, redirectAnswerBytes: 1000 };
  expect(edgeOfMillion({ ...inputs, measured: answers }) - edgeOfMillion(bare)).toBeCloseTo(
    prices.edgeGigabyteOut,
  );
});

test('a stage without firewalls pays for none', () => {
  expect(
    of(idleMonth(inputs, { alarmMetrics: 10, firewalls: 0, firewallRules: 0 }), 'Firewalls'),
  ).toBeUndefined();
  expect(of(idleMonth(inputs, { alarmMetrics: 10, firewalls: 2, firewallRules: 5 }), 'Firewalls')).toBe(15);
});

test('the month of an example adds up its traffic', () => {
  const example = { millionRedirects: 3, spread: 'medium', millionCalls: 0.5, millionLinks: 0.1 };
  const month = exampleMonth(example, {
    idle: 20,
    millionRedirects: 5,
    millionCalls: 6,
    millionRequestsThroughFirewalls: 1,
    millionLinks: 10,
  });
  expect(month.map(([, , dollars]) => dollars)).toEqual([20, 15, 3, 3.5, 1]);
  expect(of(month, 'Redirects')).toBe(15);
  expect(bill(month)).toContain('| **total** | | **42.50** |');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { currentCostPage } from '../../../bin/cost.ts';
import { itemsOf } from '../../../core/clicks/figure-items.ts';
import { bill } from '../../../ops/cost/bill.ts';
import { exampleMonth } from '../../../ops/cost/example-month.ts';
import { type CostInputs, edgeOfMillion, idleMonth, millionRedirects } from '../../../ops/cost/page.ts';
import { aClickRecord } from '../../support/builders.ts';

const root = path.join(import.meta.dirname, '../../..');

test('docs/cost.md is what `npm run generate` writes', () => {
  expect(readFileSync(path.join(root, 'docs/cost.md'), 'utf8')).toBe(currentCostPage());
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

const aSpread = { name: 'some', says: 'some', clicksInBatch: 10, linksInBatch: 2 };

test('a batch takes a unit for each item of figures to which its clicks add', () => {
  const { figureItemsOfLink, figureItemsOfProject } = inputs.measured;
  const records = ['one', 'one', 'two'].map((code, i) => aClickRecord({ code }, i));
  expect(itemsOf({ shard: 'shard', records })).toHaveLength(2 * figureItemsOfLink + figureItemsOfProject);
  const lines = millionRedirects(inputs, { redirect: { reads: 1, writes: 1 } }, aSpread);
  expect(of(lines, 'Table writes of the figures')).toBeCloseTo(
    ((2 * figureItemsOfLink + figureItemsOfProject) / 10) * inputs.prices.tableWritesPerMillion,
  );
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

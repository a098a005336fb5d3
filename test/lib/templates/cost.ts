import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hoursOf } from '../../../core/clicks/figure-items.ts';
import type { Owner } from '../../../core/clicks/figures.ts';
import { writeAddition } from '../../../core/clicks/recent-additions.ts';
import { settledAt } from '../../../core/clicks/settlement.ts';
import { bill } from '../../../ops/cost/bill.ts';
import { currentCostPage } from '../../../ops/cost/current.ts';
import { exampleMonth } from '../../../ops/cost/example-month.ts';
import { type CostInputs, edgeOfMillion, idleMonth, millionRedirects } from '../../../ops/cost/page.ts';
import { aClickRecord } from '../../support/builders.ts';
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
  units: { link: 2, project: 3, byLink: 2 },
};

const figuresOf = (spread: Partial<typeof aSpread>) =>
  (of(
    millionRedirects(inputs, { redirect: { reads: 1, writes: 1 } }, { ...aSpread, ...spread }),
    'Table writes of the figures',
  ) ?? 0) / inputs.prices.tableWritesPerMillion;

test("a batch's figures cost a write for each link and the project, and a part of their days and hours", () => {
  const { charactersOfLinkClick, charactersOfProjectClick } = inputs.measured;
  // Five clicks fill a third of what is settled at once: an item, a day and an hour of the link, and its item again.
  const link = 2 + (2 + 1 + 1) / (settledAt / (5 * charactersOfLinkClick));
  const project = 3 + (3 + 3 + 2) / Math.max(1, settledAt / (10 * charactersOfProjectClick));
  expect(figuresOf({})).toBeCloseTo((2 * link + project) / 10);
});

test('clicks that come days apart cost a day and an hour each', () => {
  const alone = figuresOf({ clicksInBatch: 1, linksInBatch: 1, clicksAnHour: { link: 0.01, project: 0.01 } });
  const settlements = [inputs.measured.charactersOfLinkClick, inputs.measured.charactersOfProjectClick].map(
    (characters) => settledAt / characters,
  );
  const [ofLink = 0, ofProject = 0] = settlements;
  expect(alone).toBeCloseTo(2 + 2 / ofLink + 2 + 3 + 3 / ofProject + 5);
});

test('the texts of clicks have the measured lengths', () => {
  const record = aClickRecord({ code: 'summer', unique: true }, 1);
  const lengthOf = (owner: Owner) => writeAddition(hoursOf([record], owner)).length;
  const { charactersOfLinkClick, charactersOfProjectClick } = inputs.measured;
  expect(lengthOf({ project: 'acme', code: 'summer' })).toBe(charactersOfLinkClick);
  expect(lengthOf({ project: 'acme' })).toBe(charactersOfProjectClick);
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

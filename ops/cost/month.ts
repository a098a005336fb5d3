import { batchingSecondsOf, eventBatchingSecondsOf } from '../../lib/batching.ts';
import type { Config } from '../../lib/config.ts';
import { type Line, sumOf } from './bill.ts';
import { millionCalls } from './calls.ts';
import { clickUnits } from './click-units.ts';
import { millionKept, millionRows } from './extras.ts';
import { type Fixed, idleMonth, millionLinks } from './idle.ts';
import { type CostInputs, million, monthSeconds, type Units } from './inputs.ts';
import { byRequest, type ClickChoices, millionRedirects, starts } from './redirects.ts';
import { clicksAnHour, type Traffic } from './traffic.ts';

export interface MonthlyUsage {
  /** Visits of short URLs, each of which counts as a click. */
  readonly traffic: Traffic;
  readonly links: number;
  readonly calls: number;
}

/** A deployment's choices that affect the cost. */
export interface DeployedChoices
  extends Pick<
    Config,
    'like' | 'figuresWithin' | 'capacity' | 'export' | 'uniqueWindowDays' | 'figuresRetentionDays'
  > {
  readonly fixed: Fixed;
}

export interface CostModel {
  readonly inputs: CostInputs;
  /** Table units by operation. */
  readonly budget: Units;
}

const monthHours = monthSeconds / 3600;
const year = 365;

export const monthBill = (model: CostModel, usage: MonthlyUsage, deployed: DeployedChoices): Line[] => {
  const { inputs, budget } = model;
  const calls = usage.calls / million;
  const lines: Line[] = [
    ['Idle month', 'everything that costs while unused', sumOf(idleMonth(inputs, deployed.fixed))],
    ['Table', 'provisioned capacity, used or not', provided(inputs, deployed)],
    ...clickLines(model, usage, deployed),
    [
      'API calls',
      `${whole(calls)}, by the mix`,
      calls * sumOf(millionCalls(inputs, budget, choicesOf(inputs, deployed))),
    ],
    ['Stored links', whole(usage.links / million), (usage.links / million) * millionLinks(inputs)],
  ];
  return lines.filter(([, , dollars]) => dollars > 0);
};

/** The lines for clicks; none without clicks, because averages don't exist. */
const clickLines = (
  { inputs, budget }: CostModel,
  { traffic }: MonthlyUsage,
  deployed: DeployedChoices,
): readonly Line[] => {
  const visits = (clicksAnHour(traffic) * monthHours) / million;
  if (visits === 0) return [];
  const choices = choicesOf(inputs, deployed);
  const units = clickUnits(traffic, inputs, choices);
  const remembering = {
    ...inputs,
    assumed: { ...inputs.assumed, visitorDays: deployed.uniqueWindowDays + 1 },
  };
  const days = deployed.figuresRetentionDays ?? year;
  const redirects = sumOf(millionRedirects(remembering, budget, traffic, choices));
  const rows = deployed.export ? millionRows(inputs, units) : 0;
  return [
    ['Redirects', `${whole(visits)}, each a click`, visits * redirects],
    [
      'Starts of functions',
      'where nobody calls for minutes',
      visits * sumOf(starts(inputs, traffic, choices)),
    ],
    ['Export', 'every click as a row', visits * rows],
    ['Stored analytics', `of ${days} days`, ((visits * days) / 30) * millionKept(inputs, units)],
  ];
};

const choicesOf = (inputs: CostInputs, deployed: DeployedChoices): ClickChoices => ({
  batchingSeconds: batchingSecondsOf(deployed),
  emittingSeconds: eventBatchingSecondsOf(deployed),
  hasFirewall: deployed.fixed.firewalls > 0,
  // Provisioned units cost nothing extra.
  table: typeof deployed.capacity === 'object' ? { reads: 0, writes: 0 } : byRequest(inputs),
});

const provided = ({ prices }: CostInputs, { capacity }: DeployedChoices): number =>
  typeof capacity === 'object'
    ? monthHours * (capacity.reads * prices.tableReadUnitHour + capacity.writes * prices.tableWriteUnitHour)
    : 0;

const whole = (millions: number): string => Math.round(millions * million).toLocaleString('en-US');

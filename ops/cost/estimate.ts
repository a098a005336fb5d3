import type { Config } from '../../lib/config.ts';
import { readStageFile } from '../../lib/stage-file.ts';
import { hundredths, sumOf } from './bill.ts';
import { type CostChange, changesOf } from './changes.ts';
import { capacityBudget, fixedOf } from './current.ts';
import { costInputs } from './inputs.ts';
import { type DeployedChoices, type MonthlyUsage, monthBill } from './month.ts';

/** A month's cost, with that of other settings. */
export interface Estimate {
  /** The assumptions: prices, times and traffic. */
  readonly assumed: readonly string[];
  readonly lines: readonly { readonly what: string; readonly how: string; readonly dollars: number }[];
  readonly total: number;
  readonly changes: readonly CostChange[];
}

/** Estimates a month's cost. Throws ConfigError. */
export const estimate = (usage: MonthlyUsage, context: Readonly<Record<string, string>>): Estimate => {
  const inputs = costInputs();
  const model = { inputs, budget: capacityBudget() };
  const { config, fixed } = fixedOf({ stage: 'prod', ...context }, readStageFile);
  const deployed: DeployedChoices = { ...chosenOf(config), fixed };
  const waf = fixed.firewalls > 0 ? 'off' : 'on';
  const other = fixedOf({ stage: 'prod', ...context, waf }, readStageFile).fixed;
  const bill = monthBill(model, usage, deployed);
  return {
    assumed: [inputs.notes.prices, inputs.notes.assumed],
    lines: bill.map(([what, how, dollars]) => ({ what, how, dollars: hundredths(dollars) })),
    total: hundredths(sumOf(bill)),
    changes: changesOf(model, usage, deployed, other).map((change) => ({
      ...change,
      dollars: hundredths(change.dollars),
    })),
  };
};

const chosenOf = (config: Config): Omit<DeployedChoices, 'fixed'> => {
  const { like, figuresWithin, capacity, uniqueWindowDays, figuresRetentionDays } = config;
  return { like, figuresWithin, capacity, export: config.export, uniqueWindowDays, figuresRetentionDays };
};

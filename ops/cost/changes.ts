import { sumOf } from './bill.ts';
import type { Fixed } from './idle.ts';
import { type CostModel, type DeployedChoices, type MonthlyUsage, monthBill } from './month.ts';

/** The change of a month's cost by another choice. */
export interface CostChange {
  readonly setting: string;
  readonly dollars: number;
  /** Other effects of the choice. */
  readonly says: string;
}

const later = {
  2: 'analytics after two seconds',
  10: 'analytics after ten seconds',
  60: 'analytics after a minute',
  300: 'analytics after five minutes',
} as const;

/** The costs of other choices of firewall and analytics' delay. `other`: the same stage with the other `waf`. */
export const changesOf = (
  model: CostModel,
  usage: MonthlyUsage,
  deployed: DeployedChoices,
  other: Fixed,
): CostChange[] => {
  const now = sumOf(monthBill(model, usage, deployed));
  const change = (setting: string, chosen: Partial<DeployedChoices>, says: string): CostChange => ({
    setting,
    dollars: sumOf(monthBill(model, usage, { ...deployed, ...chosen })) - now,
    says,
  });
  return [
    deployed.fixed.firewalls > 0
      ? change('waf=off', { fixed: other }, 'no limit per address, no core rules')
      : change('waf=on', { fixed: other }, 'a limit per address, core rules'),
    ...([2, 10, 60, 300] as const)
      .filter((seconds) => seconds !== deployed.figuresWithin)
      .map((seconds) => change(`figuresWithin=${seconds}`, { figuresWithin: seconds }, later[seconds])),
  ];
};

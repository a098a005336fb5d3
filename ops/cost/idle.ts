import type { Line } from './bill.ts';
import { type CostInputs, gigabytes, million, monthSeconds } from './inputs.ts';

/** The parts of a stage's stacks with a fixed cost. */
export interface Fixed {
  readonly alarmMetrics: number;
  /** The functions' own metrics, which cost only in months with values. */
  readonly ownMetrics: number;
  readonly dashboards: number;
  readonly secrets: number;
  /** Queues that functions read. */
  readonly queues: number;
  readonly firewalls: number;
  /** Rules of all firewalls together. */
  readonly firewallRules: number;
}

export const idleMonth = ({ prices, assumed }: CostInputs, fixed: Fixed): Line[] => {
  const polls = (assumed.queuePollers * monthSeconds) / assumed.queuePollSeconds / million;
  const lines: Line[] = [
    [
      'Firewalls',
      `${fixed.firewalls} with ${fixed.firewallRules} rules together`,
      fixed.firewalls * prices.firewallMonth + fixed.firewallRules * prices.firewallRuleMonth,
    ],
    ['Alarms', `${fixed.alarmMetrics} metrics watched`, fixed.alarmMetrics * prices.alarmMetricMonth],
    ['Dashboard', 'one', fixed.dashboards * prices.dashboardMonth],
    ['Secrets', `${fixed.secrets}`, fixed.secrets * prices.secretMonth],
    [
      'Queues of clicks and of events',
      `${fixed.queues} × ${assumed.queuePollers} pollers, each asks every ${assumed.queuePollSeconds} seconds (assumed)`,
      fixed.queues * polls * prices.queueRequestsPerMillion,
    ],
  ];
  return lines.filter(([, , dollars]) => dollars > 0);
};

/** A month of storage for a million links. */
export const millionLinks = ({ prices, measured }: CostInputs): number =>
  gigabytes(measured.linkItemsBytes) * (prices.tableGigabyteMonth + prices.recoveryGigabyteMonth);

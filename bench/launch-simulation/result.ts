import { figuresKey } from '../../core/table/figure-keys.ts';
import type { WireItem } from '../../core/table/wire-values.ts';
import { costOf } from './bill.ts';
import { type Scenario, secondsOf } from './scenarios.ts';
import { link } from './visitors.ts';
import type { Answers, World } from './world.ts';

/** A scenario's result in AWS's numbers: counts are multiplied by the scale. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly visits: number;
  readonly redirected: number;
  /** The service's 503 responses, and the seconds since the start in which they occurred. */
  readonly busy: number;
  readonly busyFrom: number | undefined;
  readonly busyTo: number | undefined;
  /** 503s in the first five seconds of the table's outage, from environments with no copy or an old one. */
  readonly busyEarly: number;
  /** Lambda's own 429. */
  readonly throttled: number;
  /** The firewall's 429. */
  readonly refused: number;
  /** 502 and 504. */
  readonly failed: number;
  readonly queued: number;
  /** Clicks in the figures at the end. */
  readonly counted: number;
  readonly double: number;
  /** Neither counted nor known to be lost. */
  readonly lost: number;
  /** Lost and counted in `ClickLost`, because the queue also refused them. */
  readonly clickLost: number;
  readonly clickUncertain: number;
  readonly deadLetters: number;
  /** Whether the hours add up to the totals. */
  readonly isConsistent: boolean;
  /** Seconds from the last visit until the figures have every click. */
  readonly completeAfterSeconds: number;
  readonly oldestCopyMs: number;
  /** The share of reads that a copy answered. */
  readonly copies: number;
  readonly delayP99Ms: number;
  readonly environments: number;
  readonly partitions: number;
  readonly dollars: number;
}

export const resultOf = (
  world: World,
  answers: Answers,
  metric: (name: string) => number,
): ScenarioResult => {
  const { scenario, clock, table, queue, stream, fleet, ages } = world;
  const { scale } = scenario;
  const times = (counted: number) => Math.round(counted * scale);
  const { missing, double, hits } = compared(world);
  const figures = sumOf(table.all(figuresKey(link).PK), 'STATS');
  const hours = sumOf(table.all(`SERIES#${link.project}#${link.code}`), 'H#');
  const ofProject = [...table.all(`SERIES#${link.project}`)].filter(
    ({ PK }) => PK?.S === `SERIES#${link.project}`,
  );
  const known = metric('ClickLost') + metric('ClickUncertain');
  const visitsEnd = clock.startedAt + secondsOf(scenario) * 1000;
  const busy = [...answers.busySeconds];
  return {
    scenario,
    visits: times(answers.visits),
    redirected: times(answers.redirected),
    busy: times(answers.busy),
    busyFrom: busy.length > 0 ? Math.min(...busy) : undefined,
    busyTo: busy.length > 0 ? Math.max(...busy) : undefined,
    busyEarly: times(answers.busyEarly),
    throttled: times(answers.throttled),
    refused: times(answers.refused),
    failed: times(answers.failed),
    queued: times(metric('ClickQueued')),
    counted: times(figures),
    double: times(double),
    lost: times(Math.max(0, missing - known) + Math.max(0, hits - figures)),
    clickLost: times(metric('ClickLost')),
    clickUncertain: times(metric('ClickUncertain')),
    deadLetters: times(queue.deadLetters),
    isConsistent: figures === hits && hours === hits && sumOf(ofProject, 'H#') === hits,
    completeAfterSeconds: Math.max(0, (stream.doneAt - visitsEnd) / 1000),
    oldestCopyMs: ages.oldestMs,
    copies: ages.copies / Math.max(1, ages.reads),
    delayP99Ms: quantile(answers.delays, 0.99),
    environments: times(fleet.mostBusy),
    partitions: table.partitions.count,
    dollars: costOf(world, answers.visits),
  };
};

const compared = ({ visitors, table, groups }: World) => {
  let [missing, double, hits] = [0, 0, 0];
  for (const { PK, SK, clicks } of visitors.expected(groups)) {
    const shown = Number(table.get(PK, SK)?.hits?.N ?? 0);
    missing += Math.max(0, clicks - shown);
    double += Math.max(0, shown - clicks);
    hits += shown;
  }
  return { missing, double, hits };
};

const sumOf = (items: Iterable<WireItem>, start: string): number => {
  let sum = 0;
  for (const { SK, n } of items) if (String(SK?.S).startsWith(start)) sum += Number(n?.N ?? 0);
  return sum;
};

const quantile = (values: number[], share: number): number =>
  values.sort((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;

/** The invariants that a result violates, as messages. */
export const faultsOf = (result: ScenarioResult): string[] => {
  const { scenario, lost, double, failed, deadLetters, oldestCopyMs, clickLost, clickUncertain } = result;
  const faults: string[] = [];
  const mustBe = (isSo: boolean, fault: string) => {
    if (!isSo) faults.push(fault);
  };
  mustBe(lost === 0, `${lost} clicks are lost and in no metric`);
  mustBe(double === 0, `${double} clicks counted twice`);
  mustBe(failed === 0, `${failed} visitors got 502 or 504`);
  mustBe(deadLetters === 0, `${deadLetters} clicks lie in the dead letters`);
  mustBe(result.isConsistent, 'totals, hours and visitors differ');
  mustBe(oldestCopyMs < 5000, `a copy was ${oldestCopyMs} ms old`);
  if (!scenario.queueRefuses)
    mustBe(clickLost === 0, `${clickLost} clicks are lost, though the queue took all`);
  if (!scenario.away) {
    mustBe(clickUncertain === 0, `${clickUncertain} clicks are uncertain, though the table answered`);
    mustBe(result.busy === 0, `${result.busy} busy pages, though the table was there`);
  }
  if (scenario.isPrepared)
    mustBe(
      result.completeAfterSeconds <= 600,
      `complete only ${Math.round(result.completeAfterSeconds)} s later`,
    );
  return faults;
};

import { sumOf } from './bill.ts';
import { type Fixed, idleMonth } from './idle.ts';
import { monthSeconds } from './inputs.ts';
import { type CostModel, type Deployed, monthBill, tableUnits, type Usage } from './month.ts';

/** What a month costs more, or less, if a deployment chose otherwise. */
export interface Change {
  readonly setting: string;
  readonly dollars: number;
  /** What it changes besides. */
  readonly says: string;
}

const later = {
  2: 'figures after two seconds',
  10: 'figures after ten seconds',
  60: 'figures after a minute',
  300: 'figures after five minutes',
} as const;

/** Of what a provisioned table provides, on average. Nobody's load is so even that all of it can be used. */
const uses = [0.6, 0.3, 0.2] as const;

/** What there would be of other choices. */
export interface Others {
  /** A stage that is treated the other way. */
  readonly stage: Fixed;
  /** This one where members sign in, if they don't. */
  readonly signIn?: Fixed | undefined;
}

/** Every setting that costs, as it is not. */
export const changesOf = (
  model: CostModel,
  usage: Usage,
  deployed: Deployed,
  { stage: other, signIn }: Others,
): Change[] => {
  const { fixed } = deployed;
  const now = sumOf(monthBill(model, usage, deployed));
  const change = (setting: string, chosen: Partial<Deployed>, says: string): Change => ({
    setting,
    dollars: sumOf(monthBill(model, usage, { ...deployed, ...chosen })) - now,
    says,
  });
  const isOnDemand = typeof deployed.capacity !== 'object';
  const units = tableUnits(model, usage, deployed);
  const otherWay = deployed.like === 'prod' ? 'dev' : 'prod';
  return [
    fixed.firewalls > 0
      ? change(
          'waf=off',
          { fixed: { ...fixed, firewalls: 0, firewallRules: 0 } },
          'no limit per address, no core rules',
        )
      : change('waf=on', { fixed: { ...fixed, ...firewallsOf(other) } }, 'a limit per address, core rules'),
    ...([2, 10, 60, 300] as const)
      .filter((seconds) => seconds !== deployed.figuresWithin)
      .map((seconds) => change(`figuresWithin=${seconds}`, { figuresWithin: seconds }, later[seconds])),
    ...(isOnDemand
      ? usesOf(units).map((use) => {
          const capacity = capacityFor(units, use);
          return change(
            `capacity=provisioned:${capacity.reads},${capacity.writes}`,
            { capacity },
            `refuses what is above; ${use * 100} % used on average`,
          );
        })
      : [change('capacity=on-demand', { capacity: 'on-demand' }, 'refuses nothing')]),
    change(`export=${deployed.export ? 'off' : 'on'}`, { export: !deployed.export }, 'every click as a row'),
    ...(signIn ? [change('signIn=…', { fixed: signIn }, 'a console for members')] : []),
    change('a webhook', { webhook: true }, 'is told of every click'),
    ...(deployed.uniqueWindowDays > 30
      ? [change('uniqueWindowDays=30', { uniqueWindowDays: 30 }, 'visitors count as new after a month')]
      : []),
    {
      setting: `a stage like ${otherWay}`,
      dollars: sumOf(idleMonth(model.inputs, other)),
      says: 'beside this one, idle',
    },
  ];
};

/** The firewalls of a stage that has some; both stages' are alike. */
const firewallsOf = ({ firewalls, firewallRules }: Fixed) =>
  firewalls > 0 ? { firewalls, firewallRules } : { firewalls: 2, firewallRules: 5 };

type TableUnits = ReturnType<typeof tableUnits>;

/** Of a table that nobody asks nothing is used. */
const usesOf = ({ reads, writes }: TableUnits): readonly number[] => (reads + writes > 0 ? uses : []);

/** What a table must provide so that so much of it is used. */
const capacityFor = ({ reads, writes }: TableUnits, use: number) => {
  const aSecond = (units: number) => Math.max(1, Math.ceil(units / monthSeconds / use));
  return { reads: aSecond(reads), writes: aSecond(writes) };
};

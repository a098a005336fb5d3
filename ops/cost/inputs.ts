import { readFileSync } from 'node:fs';
import path from 'node:path';

type File = typeof import('../../docs/cost-inputs.json');
type Stated = Readonly<Record<string, { readonly value: number }>>;
type Values<Of> = { readonly [Name in keyof Of]: number };

/** Clicks by how they arrive, from concentrated to scattered. */
export type Spread = File['spreads']['list'][number];

/** docs/cost-inputs.json without the sources. */
export interface CostInputs extends Pick<File, 'notes' | 'example'> {
  readonly prices: Values<File['prices']>;
  readonly measured: Values<File['measured']>;
  readonly assumed: Values<File['assumed']>;
  readonly spreads: readonly Spread[];
  /** Shares of operations in a million calls. */
  readonly callMix: Readonly<Record<string, number>>;
}

const fileOf = (name: string) =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../..', name), 'utf8'));

const valuesOf = <Of extends Stated>(stated: Of) =>
  Object.fromEntries(Object.entries(stated).map(([name, { value }]) => [name, value])) as Values<Of>;

export const costInputs = (): CostInputs => {
  const stated: File = fileOf('docs/cost-inputs.json');
  const { prices, measured, assumed, spreads } = stated;
  return {
    ...stated,
    prices: valuesOf(prices),
    measured: valuesOf(measured),
    assumed: valuesOf(assumed),
    spreads: spreads.list,
  };
};

/** The table units of an operation, as bench/capacity-budget.json has them. */
export interface OperationUnits {
  readonly reads: number;
  readonly writes: number;
}

export type Units = Readonly<Record<string, OperationUnits>>;

/** Measured table units by operation. */
export const capacityBudget = (): Units => fileOf('bench/capacity-budget.json');

export const unitsOf = (units: Units, operation: string): OperationUnits => {
  const found = units[operation];
  if (!found) throw new Error(`'${operation}' has no measurement`);
  return found;
};

export interface CostModel {
  readonly inputs: CostInputs;
  readonly budget: Units;
}

export const million = 1_000_000;
export const monthSeconds = 30 * 86_400;

/** Gigabytes of a million pieces. */
export const gigabytes = (bytes: number): number => (bytes * million) / 1e9;

/** Dollars of a million invocations' time. */
export const functionTime = (
  { prices }: Pick<CostInputs, 'prices'>,
  milliseconds: number,
  megabytes: number,
): number => ((million * milliseconds) / 1000) * (megabytes / 1024) * prices.functionGigabyteSecond;

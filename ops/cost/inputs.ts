import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Traffic } from './traffic.ts';

type File = typeof import('../../docs/cost-inputs.json');
type Stated = Readonly<Record<string, { readonly value: number }>>;
type Values<Of> = { readonly [Name in keyof Of]: number };

/** Spreads of clicks, from concentrated to scattered. */
export interface Spread extends Traffic {
  readonly name: string;
  readonly says: string;
}

/** Names of one kind, equally frequent in clicks. */
export interface Names {
  readonly names: number;
  /** Bytes of a name and its count in an item. */
  readonly bytes: number;
}

/** docs/cost-inputs.json without the sources. */
export interface CostInputs extends Pick<File, 'notes' | 'example'> {
  readonly prices: Values<File['prices']>;
  readonly measured: Values<File['measured']>;
  readonly assumed: Values<File['assumed']>;
  readonly visitors: { readonly [Place in 'inTotals' | 'inHours' | 'inProjects']: readonly Names[] };
  readonly spreads: readonly Spread[];
  /** Shares of operations in a million calls. */
  readonly callMix: Readonly<Record<string, number>>;
}

const valuesOf = <Of extends Stated>(stated: Of) =>
  Object.fromEntries(Object.entries(stated).map(([name, { value }]) => [name, value])) as Values<Of>;

export const costInputs = (): CostInputs => {
  const file = path.join(import.meta.dirname, '../../docs/cost-inputs.json');
  const stated: File = JSON.parse(readFileSync(file, 'utf8'));
  const { prices, measured, assumed } = stated;
  return {
    ...stated,
    prices: valuesOf(prices),
    measured: valuesOf(measured),
    assumed: valuesOf(assumed),
  };
};

/** The table units of an operation, as bench/capacity-budget.json has them. */
export interface OperationUnits {
  readonly reads: number;
  readonly writes: number;
}

export type Units = Readonly<Record<string, OperationUnits>>;

export const unitsOf = (units: Units, operation: string): OperationUnits => {
  const found = units[operation];
  if (!found) throw new Error(`'${operation}' has no measurement`);
  return found;
};

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

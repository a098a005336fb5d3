import type { OperationUnits } from '../ops/cost/inputs.ts';
import { read, table, withParts } from './page-parts.ts';

/** docs/units.md with the units of usual calls, by `bench/capacity-budget.json`. */
export const unitsPage = (): string => {
  const budget: Readonly<Record<string, OperationUnits & { readonly trips: number }>> = JSON.parse(
    read('bench/capacity-budget.json'),
  );
  return withParts('docs/units.md', {
    usual: table(
      ['operation', 'read units:', 'write units:', 'round trips:'],
      Object.entries(budget).map(([name, { reads, writes, trips }]) => [
        name,
        ...[reads, writes, trips].map(String),
      ]),
    ),
  });
};

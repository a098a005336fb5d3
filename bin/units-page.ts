import { capacityBudget } from '../ops/cost/inputs.ts';
import { table, withParts } from './page-parts.ts';

/** docs/units.md with the units of usual calls, by `bench/capacity-budget.json`. */
export const unitsPage = (): string =>
  withParts('docs/units.md', {
    usual: table(
      ['operation', 'read units:', 'write units:', 'round trips:'],
      Object.entries(capacityBudget()).map(([name, { reads, writes, trips }]) => [
        name,
        ...[reads, writes, trips].map(String),
      ]),
    ),
  });

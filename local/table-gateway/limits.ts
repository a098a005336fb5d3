import { isRecord } from '../base/json-values.ts';
import type { Input } from './transaction-parts.ts';

const listed = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const inTables = (value: unknown, countOf: (request: unknown) => number): number =>
  isRecord(value) ? Object.values(value).reduce<number>((sum, one) => sum + countOf(one), 0) : 0;

interface Limit {
  readonly most: number;
  readonly count: (input: Input) => number;
}

/** How many items a call may name, and how many it names. No object: callers name operations as they like, `constructor`, too. */
const limits: ReadonlyMap<string, Limit> = new Map([
  [
    'BatchGetItem',
    {
      most: 100,
      count: ({ RequestItems }) =>
        inTables(RequestItems, (one) => listed(isRecord(one) ? one.Keys : undefined)),
    },
  ],
  ['BatchWriteItem', { most: 25, count: ({ RequestItems }) => inTables(RequestItems, listed) }],
  ['TransactGetItems', { most: 100, count: ({ TransactItems }) => listed(TransactItems) }],
  ['TransactWriteItems', { most: 100, count: ({ TransactItems }) => listed(TransactItems) }],
]);

/** Says why DynamoDB refuses a call that names too many items. Engines take more. */
export function excessOf(operation: string, input: Input): string | undefined {
  const limit = limits.get(operation);
  const count = limit?.count(input) ?? 0;
  if (!limit || count <= limit.most) return undefined;
  return `Too many items requested for the ${operation} call: ${count}, where ${limit.most} are allowed`;
}

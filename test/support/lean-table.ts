import { connect, serviceAccess } from '../../core/table/connection.ts';
import { openItems } from '../../core/table/items.ts';
import { forClients, forVisitors, type RetryPolicy } from '../../core/table/retry-policy.ts';
import type { Items, Table } from '../../core/table/table.ts';
import { openTable } from '../../core/table/whole-table.ts';

/** The name of every table that a test starts without a stack. */
export const tableUnderTest = 'links-under-test';

interface LeanTableOptions extends Partial<RetryPolicy> {
  readonly name?: string;
}

/** The table under test as functions with waiting visitors open it. */
export const openLeanTable = (
  endpoint: string,
  { name = tableUnderTest, ...change }: LeanTableOptions = {},
): Items =>
  openItems(connect(accessTo(endpoint)), {
    name,
    policy: { ...forVisitors, deadlineMs: 20_000, ...change },
  });

interface WholeTableOptions extends Partial<RetryPolicy> {
  readonly name?: string;
  readonly random?: () => number;
  /** Set if the endpoint is a stack's. */
  readonly operatorKey?: string;
}

/** The table under test as functions of the API open it. */
export const openWholeTable = (
  endpoint: string,
  { name = tableUnderTest, random = Math.random, operatorKey, ...change }: WholeTableOptions = {},
): Table =>
  openTable(connect(accessTo(endpoint, operatorKey)), {
    name,
    random,
    policy: { ...forClients, deadlineMs: 20_000, ...change },
  });

const accessTo = (endpoint: string, operatorKey = 'test') =>
  serviceAccess(
    {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: operatorKey,
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    'dynamodb',
  );

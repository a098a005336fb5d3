import { leanClient, patientClient, tableAccess } from '../../core/table/lean-client.ts';
import { leanTable } from '../../core/table/lean-table.ts';
import type { ReadsAndUpdates, Table } from '../../core/table/table.ts';
import { openTable } from '../../core/table/wire-table.ts';

/** The name of every table that a test starts alone. */
export const tableUnderTest = 'links-under-test';

interface LeanTableOptions {
  readonly name?: string;
  readonly deadlineMs?: number;
}

/** The table under test by the lean client, as the redirect and the aggregator have it. */
export const openLeanTable = (
  endpoint: string,
  { name = tableUnderTest, deadlineMs = 20_000 }: LeanTableOptions = {},
): ReadsAndUpdates => leanTable(leanClient(accessTo(endpoint)), { name, deadlineMs });

/** The whole table, as functions of the API have it. */
export const openWholeTable = (endpoint: string, name = tableUnderTest): Table =>
  openTable(patientClient(accessTo(endpoint), 20_000), { name });

const accessTo = (endpoint: string) =>
  tableAccess({
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });

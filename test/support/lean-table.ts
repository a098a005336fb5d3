import { leanClient, tableAccess } from '../../core/table/lean-client.ts';
import { leanTable } from '../../core/table/lean-table.ts';
import type { ReadsAndUpdates } from '../../core/table/table.ts';
import { tableName } from './engine.ts';

interface LeanTableOptions {
  readonly name?: string;
  readonly deadlineMs?: number;
}

/** The table under test by the lean client, as the redirect and the aggregator have it. */
export const openLeanTable = (
  endpoint: string,
  { name = tableName, deadlineMs = 20_000 }: LeanTableOptions = {},
): ReadsAndUpdates => {
  const access = tableAccess({
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  return leanTable(leanClient(access), { name, deadlineMs });
};

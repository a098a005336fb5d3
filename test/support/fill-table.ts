import { marshall } from '@aws-sdk/util-dynamodb';
import { engineClient } from '../../local/testing.ts';

export interface TableAccess {
  readonly endpoint: string;
  readonly name: string;
  /** Where the endpoint is a stack's. */
  readonly operatorKey?: string;
}

/** As many as DynamoDB takes. */
const perTransaction = 100;

/**
 * Writes items of different keys, in order. In transactions, because the local engine commits, and syncs, each item of a
 * BatchWriteItem by itself.
 */
export const fillTable = async (
  { endpoint, name: TableName, operatorKey }: TableAccess,
  items: readonly object[],
): Promise<void> => {
  const client = engineClient(endpoint, { caller: operatorKey });
  const puts = items.map((item) => ({
    Put: { TableName, Item: marshall(item) },
  }));
  try {
    for (let i = 0; i < puts.length; i += perTransaction) {
      await client.call('TransactWriteItems', { TransactItems: puts.slice(i, i + perTransaction) });
    }
  } finally {
    client.close();
  }
};

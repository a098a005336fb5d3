import { marshall } from '@aws-sdk/util-dynamodb';
import { engineClient } from '../../local/testing.ts';

export interface TableAccess {
  readonly endpoint: string;
  readonly name: string;
  /** Set if the endpoint is a stack's. */
  readonly operatorKey?: string;
}

/** DynamoDB's limit. */
const perTransaction = 100;

/**
 * Writes items of different keys, in order. Uses transactions, because the local engine commits and syncs each item of
 * a BatchWriteItem separately.
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

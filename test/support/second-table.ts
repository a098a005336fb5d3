import {
  type AttributeValue,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { unique } from './builders.ts';
import { tableProperties } from './table-properties.ts';

// Properties in the template's form, with names that CloudFormation and DynamoDB share.
const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = tableProperties;
const restoredProperties = { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } as Pick<
  CreateTableCommandInput,
  'AttributeDefinitions' | 'BillingMode' | 'GlobalSecondaryIndexes' | 'KeySchema'
>;

type Item = Record<string, AttributeValue>;

/** Tables in addition to the service's own, as a restore makes them. */
export const tablesAt = (endpoint: string, accessKeyId = 'x') => {
  const credentials = { accessKeyId, secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const itemsOf = async (table: string): Promise<Item[]> => {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }));
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  };
  const key = ({ PK, SK }: Item) => ({ PK, SK }) as Item;
  const copy = async (from: string, to = unique('copy')): Promise<string> => {
    await client.send(new CreateTableCommand({ TableName: to, ...restoredProperties }));
    await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 20 }, { TableName: to });
    for (const Item of await itemsOf(from)) await client.send(new PutItemCommand({ TableName: to, Item }));
    return to;
  };
  return {
    itemsOf,

    /**
     * Copies like `restore-table-to-point-in-time`: items and indexes, without stream and TTL. Resolves to the copy's
     * name.
     */
    copy,

    remove: async (table: string, isLost: (PK: string) => boolean = () => true): Promise<void> => {
      for (const item of await itemsOf(table)) {
        if (isLost(item.PK?.S ?? ''))
          await client.send(new DeleteItemCommand({ TableName: table, Key: key(item) }));
      }
    },

    stop: () => client.destroy(),
  };
};

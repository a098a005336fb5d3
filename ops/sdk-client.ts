import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type CancellationReason, TableError } from '../core/table/table-error.ts';
import type { TableAction, WireCall } from '../core/table/wire-table.ts';

/** By default credentials, region and endpoint come from where the AWS CLI has them. */
export const sdkClient = (access: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({ logger: silent, ...access });

/** For commands in plain values that the port to the table doesn't have. */
export const documentClient = (access: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(sdkClient(access), { marshallOptions: { removeUndefinedValues: true } });

/**
 * The SDK's silent logger copies every response without its sensitive parts, and drops the copy: a tenth of
 * the time of a large read. It makes no copy for a logger without `info` and `error`.
 */
const silent = {
  debug: () => undefined,
  warn: () => undefined,
} as unknown as NonNullable<DynamoDBClientConfig['logger']>;

type Send = (client: DynamoDBClient, input: never) => Promise<object>;

const sends: Readonly<Record<TableAction, Send>> = {
  BatchGetItem: (client, input) => client.send(new BatchGetItemCommand(input)),
  DeleteItem: (client, input) => client.send(new DeleteItemCommand(input)),
  GetItem: (client, input) => client.send(new GetItemCommand(input)),
  PutItem: (client, input) => client.send(new PutItemCommand(input)),
  Query: (client, input) => client.send(new QueryCommand(input)),
  TransactWriteItems: (client, input) => client.send(new TransactWriteItemsCommand(input)),
  UpdateItem: (client, input) => client.send(new UpdateItemCommand(input)),
};

/** The SDK's way to the table, which knows every source of credentials. */
export const sdkCall =
  (client: DynamoDBClient): WireCall =>
  async (action, input) => {
    try {
      return { ...(await sends[action](client, input as never)) };
    } catch (error) {
      if (!(error instanceof DynamoDBServiceException)) throw error;
      const { name, message, Item, CancellationReasons } = error as DynamoDBServiceException & {
        readonly Item?: unknown;
        readonly CancellationReasons?: readonly CancellationReason[];
      };
      const refused = new TableError({ name, message, item: Item, reasons: CancellationReasons });
      refused.isRepeated = (error.$metadata.attempts ?? 1) > 1;
      throw refused;
    }
  };

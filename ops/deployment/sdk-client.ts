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
import { AwsError, type CancellationReason } from '../../core/table/errors.ts';
import type { TableAction, Transport } from '../../core/table/port.ts';

/** By default credentials, region and endpoint come from where the AWS CLI has them. */
const sdkClient = (access: DynamoDBClientConfig = {}): DynamoDBClient =>
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

type Send = (client: DynamoDBClient, input: never, options: { abortSignal: AbortSignal }) => Promise<object>;

const sends: Readonly<Record<TableAction, Send>> = {
  BatchGetItem: (client, input, options) => client.send(new BatchGetItemCommand(input), options),
  DeleteItem: (client, input, options) => client.send(new DeleteItemCommand(input), options),
  GetItem: (client, input, options) => client.send(new GetItemCommand(input), options),
  PutItem: (client, input, options) => client.send(new PutItemCommand(input), options),
  Query: (client, input, options) => client.send(new QueryCommand(input), options),
  TransactWriteItems: (client, input, options) => client.send(new TransactWriteItemsCommand(input), options),
  UpdateItem: (client, input, options) => client.send(new UpdateItemCommand(input), options),
};

/** The SDK's way to the table, which knows every source of credentials. Repeating is the port's. */
export const sdkTransport = (access: DynamoDBClientConfig = {}): Transport => {
  const client = sdkClient({ ...access, maxAttempts: 1 });
  return async ({ action, input, until }) => {
    const abortSignal = AbortSignal.timeout(Math.max(0, until - Date.now()));
    try {
      return { ...(await sends[action](client, input as never, { abortSignal })) };
    } catch (error) {
      throw abortSignal.aborted ? new AwsError({ name: 'TimeoutError' }) : tableErrorOf(error);
    }
  };
};

/** What the SDK throws before or without a response, such as for missing credentials, stays as it is. */
const tableErrorOf = (error: unknown): unknown => {
  if (!(error instanceof DynamoDBServiceException)) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    // No call of the system fails where the other side closes a connection in place of an answer.
    const isLost = syscall !== undefined || code === 'ECONNRESET';
    return isLost ? new AwsError({ name: 'ConnectionLost', message }) : error;
  }
  const { name, message, $metadata, Item, CancellationReasons } = error as DynamoDBServiceException & {
    readonly Item?: unknown;
    readonly CancellationReasons?: readonly CancellationReason[];
    readonly $metadata: { readonly clockSkewCorrected?: boolean };
  };
  // The SDK signs by the table's clock from now on, so the same call may be made again.
  const status = $metadata.clockSkewCorrected ? 500 : $metadata.httpStatusCode;
  return new AwsError({ name, message, status: status ?? 400, item: Item, reasons: CancellationReasons });
};

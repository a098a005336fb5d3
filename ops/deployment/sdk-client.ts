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
import type { TableAction, Transport } from '../../core/table/items.ts';
import { forOperators } from '../../core/table/retry-policy.ts';
import type { Table } from '../../core/table/table.ts';
import { openTable } from '../../core/table/whole-table.ts';

/** An SDK client. Credentials, region and endpoint default to those of the AWS CLI. */
const sdkClient = (access: DynamoDBClientConfig): DynamoDBClient =>
  new DynamoDBClient({ logger: silent, ...access });

/** A client for commands in plain values that the table's own port lacks. */
export const documentClient = (access: DynamoDBClientConfig): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(sdkClient(access), { marshallOptions: { removeUndefinedValues: true } });

/**
 * A logger without `info` and `error`. For its default silent one, the SDK copies every response without sensitive
 * parts, and drops the copy: a tenth of the time of a large read.
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

/** The table's transport through the SDK, which reads every source of credentials. Retries are the port's. */
export const sdkTransport = (access: DynamoDBClientConfig): Transport => {
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

/** A table with the patience of operators' commands. */
export const operatorTable = (access: DynamoDBClientConfig, name: string): Table =>
  openTable(sdkTransport(access), { name, policy: forOperators });

/** A table's error for an SDK error. Errors without a response, such as missing credentials, stay as they are. */
const tableErrorOf = (error: unknown): unknown => {
  if (!(error instanceof DynamoDBServiceException)) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    // No system call fails if the other side closes the connection instead of responding.
    const isLost = syscall !== undefined || code === 'ECONNRESET';
    return isLost ? new AwsError({ name: 'ConnectionLost', message }) : error;
  }
  const { name, message, $metadata, Item, CancellationReasons } = error as DynamoDBServiceException & {
    readonly Item?: unknown;
    readonly CancellationReasons?: readonly CancellationReason[];
    readonly $metadata: { readonly clockSkewCorrected?: boolean };
  };
  // The SDK now signs by the table's clock, so the call may be repeated.
  const status = $metadata.clockSkewCorrected ? 500 : $metadata.httpStatusCode;
  return new AwsError({ name, message, status: status ?? 400, item: Item, reasons: CancellationReasons });
};

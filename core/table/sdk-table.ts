import { setTimeout as delay } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  ConditionFailed,
  type Item,
  type PartOrChoice,
  type Table,
  TableBusy,
  type TransactItem,
} from './table.ts';

/** A client for the table; by default credentials, region and endpoint come from the environment, as in AWS. */
export const tableClient = (access: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ logger: silent, ...access }), {
    marshallOptions: { removeUndefinedValues: true },
  });

/**
 * The SDK's silent logger copies every response without its sensitive parts, and drops the copy: a tenth of
 * the time of a large read. It makes no copy for a logger without `info` and `error`.
 */
const silent = {
  debug: () => undefined,
  warn: () => undefined,
} as unknown as NonNullable<DynamoDBClientConfig['logger']>;

export const openTable = (
  client: DynamoDBDocumentClient,
  name: string,
  admitted: Promise<unknown> = Promise.resolve(),
): Table => ({
  async get(key) {
    const { Item } = await client.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }));
    return Item;
  },

  batchGet: async (keys, attributes) =>
    (
      await Promise.all(
        chunks(keys, batchSize).map((part) => batchGet(client, name, { Keys: part, ...project(attributes) })),
      )
    ).flat(),

  async query(input) {
    const items: Item[] = [];
    let start: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await client.send(
        new QueryCommand({ TableName: name, ...input, ...(start && { ExclusiveStartKey: start }) }),
      );
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start && (input.Limit === undefined || items.length < input.Limit));
    return items;
  },

  async update(input) {
    await admitted;
    return repeatConflicts(async () => {
      const { Attributes } = await client.send(
        new UpdateCommand({ TableName: name, ...onFailure, ...input }),
      );
      return Attributes ?? {};
    });
  },

  async put(input) {
    await admitted;
    await repeatConflicts(() => client.send(new PutCommand({ TableName: name, ...onFailure, ...input })));
  },

  async delete(input) {
    await admitted;
    await repeatConflicts(() => client.send(new DeleteCommand({ TableName: name, ...onFailure, ...input })));
  },

  async transact(parts) {
    await admitted;
    const itemOf = (part: PartOrChoice) => {
      const [[action, input] = []] = Object.entries(typeof part === 'function' ? part() : part);
      return { [action ?? '']: { TableName: name, ...onFailure, ...input } };
    };
    await repeatConflicts(() =>
      client.send(new TransactWriteCommand({ TransactItems: parts.map(itemOf) as TransactItem[] })),
    );
  },
});

/** What a condition was held against comes with its failure. */
const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Keys that one BatchGetItem takes. */
const batchSize = 100;

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

type KeysAndAttributes = NonNullable<BatchGetCommandInput['RequestItems']>[string];

const project = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, i) => `#p${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#p${i}`, name])),
  };

/** DynamoDB may leave keys of a batch for later, when it is busy or the response would be too large. */
const batchGet = async (
  client: DynamoDBDocumentClient,
  name: string,
  request: KeysAndAttributes,
): Promise<Item[]> => {
  const items: Item[] = [];
  let open: BatchGetCommandInput['RequestItems'] = { [name]: { ...request, ConsistentRead: true } };
  for (let attempt = 1; open?.[name]; attempt += 1) {
    if (attempt > 1) await pause(attempt);
    const answer: BatchGetCommandOutput = await client.send(new BatchGetCommand({ RequestItems: open }));
    items.push(...(answer.Responses?.[name] ?? []));
    open = answer.UnprocessedKeys;
  }
  return items;
};

const attempts = 10;
const firstPauseMs = 10;
const longestPauseMs = 320;

/** The SDK doesn't retry transactions that were cancelled because of a conflict or the table's limits. */
const repeatConflicts = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      const failed = conditionFailure(error);
      if (failed) throw failed;
      if (!isPassing(error)) throw error;
      if (attempt === attempts) throw new TableBusy(error);
      await pause(attempt);
    }
  }
};

const pause = (attempt: number) =>
  delay(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt));

const conditionFailure = (error: unknown): ConditionFailed | undefined => {
  if (error instanceof ConditionalCheckFailedException) {
    return new ConditionFailed(error.Item && unmarshall(error.Item), {
      isRepeated: (error.$metadata.attempts ?? 1) > 1,
    });
  }
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const part = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const item = reasons[part]?.Item;
  return part < 0 ? undefined : new ConditionFailed(item && unmarshall(item), { part });
};

const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

const isPassing = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code !== undefined && passing.has(Code)));

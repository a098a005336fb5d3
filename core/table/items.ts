import { type AttemptOptions, retrier, type TableProps } from './retry-policy.ts';
import type { Item, Items } from './table.ts';
import { itemOfWire, type WireItem, wireItem } from './wire-values.ts';

export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'TransactWriteItems'
  | 'UpdateItem';

/** One request to DynamoDB. */
interface Sent<Action = TableAction> {
  readonly action: Action;
  /** Input in DynamoDB's JSON. */
  readonly input: object;
  /** When to give up, in epoch milliseconds. */
  readonly until: number;
  /** Whether to open a new connection for this request. */
  readonly isFresh: boolean;
}

/** Sends a request without retries. Throws AwsError. */
export type Transport<Action = TableAction> = (sent: Sent<Action>) => Promise<Record<string, unknown>>;

/** The table without batches and transactions, for functions on a visitor's way that need small bundles. */
export const openItems = (send: Transport, props: TableProps): Items => {
  const repeat = retrier(props);
  const { name } = props;
  const call = (action: TableAction, input: JsonFields) =>
    repeat((attempt) => send({ action, input: { TableName: name, ...aged(input, attempt) }, ...attempt }));
  const write = (action: TableAction, input: object) => call(action, { ...onFailure, ...wired(input) });
  return {
    async get(key) {
      const { Item } = await call('GetItem', { Key: wireItem(key), ConsistentRead: true });
      return Item ? itemOfWire(Item as WireItem) : undefined;
    },

    async query(input) {
      const items: Item[] = [];
      let start: unknown;
      do {
        const from = start === undefined ? {} : { ExclusiveStartKey: start };
        const page = await call('Query', { ...wired(input), ...from });
        items.push(...((page.Items ?? []) as WireItem[]).map(itemOfWire));
        start = page.LastEvaluatedKey;
      } while (start !== undefined && (input.Limit === undefined || items.length < input.Limit));
      return items;
    },

    async update(input) {
      const { Attributes } = await write('UpdateItem', input);
      return itemOfWire((Attributes ?? {}) as WireItem);
    },

    async put(input) {
      await write('PutItem', input);
    },

    async delete(input) {
      await write('DeleteItem', input);
    },
  };
};

export type JsonFields = Readonly<Record<string, unknown>>;

/** Makes a failed condition return the stored item. */
export const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const aged = (input: JsonFields, { isOlder }: AttemptOptions): JsonFields =>
  isOlder && 'ConsistentRead' in input ? { ...input, ConsistentRead: false } : input;

const itemFields = ['ExpressionAttributeValues', 'Item', 'Key'];

/** An input with its values in DynamoDB's JSON. */
export const wired = (input: object): JsonFields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      itemFields.includes(name) && value !== undefined ? wireItem(value) : value,
    ]),
  );

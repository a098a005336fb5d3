import { type Manner, repeater, type TableProps } from './patience.ts';
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
  /** In DynamoDB's own JSON. */
  readonly input: object;
  /** When to give up, in epoch milliseconds. */
  readonly until: number;
  /** By a connection made for this request. */
  readonly isFresh: boolean;
}

/** Sends one request, once. Throws AwsError. */
export type Transport<Action = TableAction> = (sent: Sent<Action>) => Promise<Record<string, unknown>>;

/** The table for functions whose start a visitor waits for, and whose bundle is small: one item at a time. */
export const openItems = (send: Transport, props: TableProps): Items => {
  const repeat = repeater(props);
  const { name } = props;
  const call = (action: TableAction, input: JsonFields) =>
    repeat((manner) => send({ action, input: { TableName: name, ...aged(input, manner) }, ...manner }));
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

/** What a condition was held against comes with its failure. */
export const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const aged = (input: JsonFields, { isOlder }: Manner): JsonFields =>
  isOlder && 'ConsistentRead' in input ? { ...input, ConsistentRead: false } : input;

const itemFields = ['ExpressionAttributeValues', 'Item', 'Key'];

/** An input as the API takes it. */
export const wired = (input: object): JsonFields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      itemFields.includes(name) && value !== undefined ? wireItem(value) : value,
    ]),
  );

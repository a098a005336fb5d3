import { TableError } from './errors.ts';
import { type Manner, type Patience, repeater } from './patience.ts';
import type { Item, Items, PartOrChoice, Table } from './table.ts';
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

/** Sends one request, once. Throws TableError. */
export type Transport<Action = TableAction> = (sent: Sent<Action>) => Promise<Record<string, unknown>>;

export interface TableProps {
  /** The table's name. */
  readonly name: string;
  readonly patience: Patience;
  /** Chooses the lengths of pauses, from 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** When the caller gives up in any case, in epoch milliseconds. @default never */
  readonly until?: number;
}

/** The table for functions whose start a visitor waits for, and whose bundle is small: one item at a time. */
export const openItems = (send: Transport, props: TableProps): Items => {
  const repeat = repeater(props);
  const { name } = props;
  const call = (action: TableAction, input: Fields) =>
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

/** The whole table. */
export const openTable = (send: Transport, props: TableProps): Table => {
  const repeat = repeater(props);
  const { name } = props;

  /** DynamoDB may leave keys of a batch for later, when it is busy or the response would be too large. */
  const batchOf = async (request: BatchRequest): Promise<Item[]> => {
    const items: Item[] = [];
    const readSome = async (asked: BatchRequest, manner: Manner): Promise<BatchRequest | undefined> => {
      const input = { RequestItems: { [name]: asked } };
      const page = (await send({ action: 'BatchGetItem', input, ...manner })) as BatchPage;
      items.push(...(page.Responses?.[name] ?? []).map(itemOfWire));
      const left = page.UnprocessedKeys?.[name];
      if (left && left.Keys.length >= asked.Keys.length) throw new TableError({ name: 'UnprocessedKeys' });
      return left;
    };
    for (let open: BatchRequest | undefined = request; open; ) {
      const asked: BatchRequest = open;
      open = await repeat((manner) => readSome(asked, manner));
    }
    return items;
  };

  return {
    ...openItems(send, props),

    async batchGet(keys, attributes, { consistent = true } = {}) {
      const request = { ...project(attributes), ConsistentRead: consistent };
      // DynamoDB refuses a batch that names a key twice.
      const different = new Map(keys.map((key) => [JSON.stringify([key.PK, key.SK]), wireItem(key)]));
      const parts = chunks([...different.values()], batchSize).map((Keys) => batchOf({ ...request, Keys }));
      return (await Promise.all(parts)).flat();
    },

    async transact(parts) {
      const itemOf = (part: PartOrChoice) => {
        const [[action, input] = []] = Object.entries(typeof part === 'function' ? part() : part);
        return { [action ?? '']: { TableName: name, ...onFailure, ...wired(input ?? {}) } };
      };
      // By its token, a transaction whose response was lost is made once.
      const draw = () => ({ TransactItems: parts.map(itemOf), ClientRequestToken: crypto.randomUUID() });
      let input = draw();
      await repeat(async (manner) => {
        try {
          return await send({ action: 'TransactWriteItems', input, ...manner });
        } catch (error) {
          if (error instanceof TableError && error.name === cancelled) input = draw();
          throw error;
        }
      });
    },
  };
};

const cancelled = 'TransactionCanceledException';

type Fields = Readonly<Record<string, unknown>>;

interface BatchPage {
  readonly Responses?: Readonly<Record<string, WireItem[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, BatchRequest>>;
}

interface BatchRequest extends Fields {
  readonly Keys: readonly object[];
}

/** What a condition was held against comes with its failure. */
const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const aged = (input: Fields, { isOlder }: Manner): Fields =>
  isOlder && 'ConsistentRead' in input ? { ...input, ConsistentRead: false } : input;

const itemFields = ['ExpressionAttributeValues', 'Item', 'Key'];

/** An input as the API takes it. */
const wired = (input: object): Fields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      itemFields.includes(name) && value !== undefined ? wireItem(value) : value,
    ]),
  );

/** Keys that one BatchGetItem takes. */
const batchSize = 100;

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

const project = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, i) => `#p${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#p${i}`, name])),
  };

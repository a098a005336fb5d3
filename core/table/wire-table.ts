import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Key } from './keys.ts';
import { ConditionFailed, type Item, type PartOrChoice, type Table, TableBusy } from './table.ts';
import { TableError } from './table-error.ts';
import { itemOfWire, type WireItem, wireItem } from './wire-values.ts';

export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'TransactWriteItems'
  | 'UpdateItem';

/** Calls the DynamoDB API with its own JSON. Throws TableError, or what kept the response away. */
export type WireCall = (action: TableAction, input: object) => Promise<Record<string, unknown>>;

export interface TableProps {
  /** The table's name. */
  readonly name: string;
  /** What writes wait for. @default nothing */
  readonly admitted?: Promise<unknown> | undefined;
}

/** The whole table, with patience: writes that collide with others, or that the table has no room for, are repeated. */
export const openTable = (call: WireCall, { name, admitted }: TableProps): Table => {
  const write = async (action: TableAction, input: Fields) => {
    await admitted;
    return repeatConflicts(() => call(action, { TableName: name, ...onFailure, ...input }));
  };
  return {
    async get(key) {
      const { Item } = await call('GetItem', { TableName: name, Key: wireItem(key), ConsistentRead: true });
      return readItem(Item);
    },

    batchGet: async (keys, attributes) => {
      const request = { ...project(attributes), ConsistentRead: true };
      const parts = chunks(keys, batchSize).map((part) => batchGet(call, name, { ...request, Keys: part }));
      return (await Promise.all(parts)).flat();
    },

    async query(input) {
      const items: Item[] = [];
      let start: unknown;
      do {
        const from = start === undefined ? {} : { ExclusiveStartKey: start };
        const page = await call('Query', { TableName: name, ...wired(input), ...from });
        items.push(...((page.Items ?? []) as WireItem[]).map(itemOfWire));
        start = page.LastEvaluatedKey;
      } while (start !== undefined && (input.Limit === undefined || items.length < input.Limit));
      return items;
    },

    async update(input) {
      const { Attributes } = await write('UpdateItem', wired(input));
      return readItem(Attributes) ?? {};
    },

    async put(input) {
      await write('PutItem', wired(input));
    },

    async delete(input) {
      await write('DeleteItem', wired(input));
    },

    async transact(parts) {
      await admitted;
      const itemOf = (part: PartOrChoice) => {
        const [[action, input] = []] = Object.entries(typeof part === 'function' ? part() : part);
        return { [action ?? '']: { TableName: name, ...onFailure, ...wired(input ?? {}) } };
      };
      await repeatConflicts(() =>
        call('TransactWriteItems', {
          TransactItems: parts.map(itemOf),
          // So that a transaction whose response was lost is made once.
          ClientRequestToken: randomUUID(),
        }),
      );
    },
  };
};

type Fields = Readonly<Record<string, unknown>>;

/** What a condition was held against comes with its failure. */
const onFailure = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const itemFields = ['ExpressionAttributeValues', 'Item', 'Key'];

/** An input as the API takes it. */
const wired = (input: object): Fields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      itemFields.includes(name) && value !== undefined ? wireItem(value) : value,
    ]),
  );

const readItem = (item: unknown): Item | undefined =>
  item === undefined || item === null ? undefined : itemOfWire(item as WireItem);

/** Keys that one BatchGetItem takes. */
const batchSize = 100;

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

const project = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, i) => `#p${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#p${i}`, name])),
  };

/** DynamoDB may leave keys of a batch for later, when it is busy or the response would be too large. */
const batchGet = async (
  call: WireCall,
  name: string,
  request: { readonly Keys: readonly Key[] },
): Promise<Item[]> => {
  const items: Item[] = [];
  let open: unknown = { ...request, Keys: request.Keys.map(wireItem) };
  for (let attempt = 1; open !== undefined; attempt += 1) {
    if (attempt > 1) await pause(attempt);
    const page = await call('BatchGetItem', { RequestItems: { [name]: open } });
    const { Responses, UnprocessedKeys } = page as {
      readonly Responses?: Readonly<Record<string, WireItem[]>>;
      readonly UnprocessedKeys?: Fields;
    };
    items.push(...(Responses?.[name] ?? []).map(itemOfWire));
    open = UnprocessedKeys?.[name];
  }
  return items;
};

const attempts = 10;
const firstPauseMs = 10;
const longestPauseMs = 320;

/** Clients don't retry transactions that were cancelled because of a conflict or the table's limits. */
const repeatConflicts = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
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

const conditionFailure = ({ name, item, reasons, isRepeated }: TableError): ConditionFailed | undefined => {
  if (name === 'ConditionalCheckFailedException') return new ConditionFailed(readItem(item), { isRepeated });
  const part = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  return part < 0 ? undefined : new ConditionFailed(readItem(reasons[part]?.Item), { part });
};

const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

const isPassing = ({ name, reasons }: TableError): boolean =>
  name === 'TransactionConflictException' || reasons.some(({ Code = '' }) => passing.has(Code));

import type { TableResource } from '../assembly/assembly.ts';
import { isRecord } from '../base/json-values.ts';
import type { ItemWrite } from '../engine/writes/item-write.ts';
import { keyNames } from '../tables/key-names.ts';

export type Input = Readonly<Record<string, unknown>>;

/** Whether a call may change items. */
export const isWrite = (operation: string): boolean =>
  /Put|Update|Delete|Write|Statement|ExecuteTransaction/.test(operation);

/** The single writes, by their names within a transaction. */
const kinds: Readonly<Record<string, ItemWrite['kind']>> = {
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
};

const partFields = new Set([
  'TableName',
  'Key',
  'Item',
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
]);
const readFields = new Set(['TableName', 'Key', 'ConsistentRead']);

/** The writes of a call; undefined if it asks for what transactions don't return. */
export function writesOf(operation: string, input: Input): readonly ItemWrite[] | undefined {
  if (operation === 'BatchWriteItem') return writesOfBatch(input);
  const kind = kinds[operation];
  const { ReturnValues = 'NONE', ...part } = input;
  if (!kind || !['NONE', 'ALL_OLD'].includes(String(ReturnValues))) return undefined;
  return Object.keys(part).every((name) => partFields.has(name)) ? [{ kind, input: part }] : undefined;
}

/** The writes of a transaction; undefined if it has others, asks for more than to be made, or has an unusual token. */
export function writesOfTransaction(input: Input): readonly ItemWrite[] | undefined {
  const { TransactItems, ClientRequestToken: token, ...rest } = input;
  const isUsual = token === undefined || (typeof token === 'string' && /^.{1,36}$/.test(token));
  if (!isUsual || !Array.isArray(TransactItems) || Object.keys(rest).length > 0) return undefined;
  const writes = TransactItems.map(partOf);
  return writes.every((write) => write !== undefined) ? writes : undefined;
}

function partOf(part: unknown): ItemWrite | undefined {
  const [[kind, input] = [], another] = isRecord(part) ? Object.entries(part) : [];
  const isWhole = !another && isRecord(input) && Object.keys(input).every((name) => partFields.has(name));
  return isWhole && isKind(kind) ? { kind, input } : undefined;
}

const isKind = (name: unknown): name is ItemWrite['kind'] =>
  name === 'Put' || name === 'Update' || name === 'Delete';

function writesOfBatch({ RequestItems, ...rest }: Input): readonly ItemWrite[] | undefined {
  if (!isRecord(RequestItems) || Object.keys(rest).length > 0) return undefined;
  const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    (Array.isArray(requests) ? requests : [undefined]).map((request) => writeOf(TableName, request)),
  );
  return writes.every((write) => write !== undefined) ? writes : undefined;
}

function writeOf(TableName: string, request: unknown): ItemWrite | undefined {
  const { PutRequest, DeleteRequest, ...rest } = isRecord(request) ? request : {};
  if (Object.keys(rest).length > 0 || (PutRequest === undefined) === (DeleteRequest === undefined))
    return undefined;
  const [kind, given] =
    PutRequest === undefined ? (['Delete', DeleteRequest] as const) : (['Put', PutRequest] as const);
  return isRecord(given) ? { kind, input: { TableName, ...given } } : undefined;
}

export const returnsOld = ({ ReturnValues }: Input): boolean => ReturnValues === 'ALL_OLD';

/** Whether it reads a whole item and nothing else, as a part of a transaction does; those read consistently. */
export const isPlainRead = (operation: string, input: Input): boolean =>
  operation === 'GetItem' && Object.keys(input).every((name) => readFields.has(name));

export interface ItemAddress {
  /** The same in every call on the item. */
  readonly name: string;
  readonly tableName: string;
  /** Partition key first. */
  readonly key: readonly unknown[];
  /** As a part of a transaction that reads the item. */
  readonly get: object;
}

/** The item that a call works on; undefined if its key isn't one of its table. */
export function itemAddresses(tables: readonly TableResource[]): (input: Input) => ItemAddress | undefined {
  const keys = new Map(tables.map((table) => [table.name, keyNames(table)]));
  return ({ TableName, Key, Item = Key }) => {
    const names = keys.get(String(TableName));
    if (!names || !isRecord(Item)) return undefined;
    const values = names.map((name) => Item[name]);
    if (!values.every(isRecord)) return undefined;
    if (Key !== undefined && Object.keys(Item).length !== names.length) return undefined;
    const key = Object.fromEntries(names.map((name) => [name, Item[name]]));
    return {
      name: JSON.stringify([TableName, ...values]),
      tableName: String(TableName),
      key: values,
      get: { Get: { TableName, Key: key } },
    };
  };
}

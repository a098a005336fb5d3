import type { TableResource } from '../assembly/assembly.ts';
import { account } from '../assembly/intrinsics.ts';
import { defaultRegion } from '../assembly/template.ts';
import { isRecord } from '../base/json-values.ts';
import type { NeededPermission } from '../iam/policy.ts';

/**
 * The values of `dynamodb:LeadingKeys` for each item of a transaction: its own key, or those of the whole request, as
 * for batches. AWS documents neither.
 */
export type LeadingKeys = 'part' | 'request';

type Json = Readonly<Record<string, unknown>>;

const transactionActions: ReadonlyMap<string, string> = new Map([
  ['Put', 'PutItem'],
  ['Update', 'UpdateItem'],
  ['Delete', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem'],
  ['Get', 'GetItem'],
]);

/**
 * The permissions that DynamoDB requires, by operation and request: a batch needs one per table, a transaction those of
 * its items (IAM has no action for transactions), a read of an index that of the index. Undefined for PartiQL, which
 * the local stack doesn't authorize.
 */
export function neededPermissions(
  operation: string,
  input: Json,
  tables: ReadonlyMap<string, TableResource>,
  leadingKeys: LeadingKeys = 'part',
): readonly NeededPermission[] | undefined {
  if (operation.includes('Statement') || operation === 'ExecuteTransaction') return undefined;
  if (operation.startsWith('Transact')) {
    const parts = ofTransaction(input, tables);
    return leadingKeys === 'part' ? parts : withKeysOfAll(parts);
  }
  if (operation === 'BatchGetItem') return ofBatchGet(input, tables);
  if (operation === 'BatchWriteItem') return ofBatchWrite(input, tables);
  return [access(operation, input, tables)];
}

function ofTransaction(input: Json, tables: ReadonlyMap<string, TableResource>): NeededPermission[] {
  return objects(input.TransactItems).flatMap((item) =>
    Object.entries(item).map(([kind, part]) =>
      access(transactionActions.get(kind) ?? kind, isRecord(part) ? part : {}, tables),
    ),
  );
}

function withKeysOfAll(parts: readonly NeededPermission[]): NeededPermission[] {
  const leadingKeys = parts.flatMap((part) => part.leadingKeys ?? []);
  return parts.map((part) => ({ ...part, leadingKeys }));
}

function ofBatchGet(input: Json, tables: ReadonlyMap<string, TableResource>): NeededPermission[] {
  return entries(input.RequestItems).map(([name, request]) => {
    const keys = isRecord(request) ? objects(request.Keys) : [];
    return batch('BatchGetItem', name, keys, tables);
  });
}

function ofBatchWrite(input: Json, tables: ReadonlyMap<string, TableResource>): NeededPermission[] {
  return entries(input.RequestItems).map(([name, requests]) => {
    const items = objects(requests).flatMap((request) =>
      Object.values(request).flatMap((part) => (isRecord(part) ? [part.Item ?? part.Key] : [])),
    );
    return batch('BatchWriteItem', name, items.filter(isRecord), tables);
  });
}

function batch(
  action: string,
  name: string,
  items: readonly Json[],
  tables: ReadonlyMap<string, TableResource>,
): NeededPermission {
  const table = find(name, tables);
  const leadingKeys = items.flatMap((item) => leadingKey(table, item));
  const attributes = [...new Set(items.flatMap(Object.keys))];
  return { action: `dynamodb:${action}`, resource: arnOf(name, table), leadingKeys, attributes };
}

function access(
  operation: string,
  input: Json,
  tables: ReadonlyMap<string, TableResource>,
): NeededPermission {
  const action = `dynamodb:${operation}`;
  const name = text(input.TableName) ?? text(input.ResourceArn);
  const stream = text(input.StreamArn);
  if (stream) return { action, resource: streamArn(stream, tables), leadingKeys: [], attributes: [] };
  if (!name) return { action, resource: '*', leadingKeys: [], attributes: [] };
  const table = find(name, tables);
  const index = text(input.IndexName);
  const resource = arnOf(name, table) + (index ? `/index/${index}` : '');
  const item = input.Item ?? input.Key;
  if (isRecord(item)) {
    return { action, resource, leadingKeys: leadingKey(table, item), attributes: Object.keys(item) };
  }
  if (operation !== 'Query') return { action, resource, leadingKeys: [], attributes: [] };
  const key = queriedKey(hashKey(table, index), input);
  return { action, resource, leadingKeys: key ?? 'unknown', attributes: [] };
}

/** Finds a table by name or ARN. Engines put their own region into ARNs. */
function find(name: string, tables: ReadonlyMap<string, TableResource>): TableResource | undefined {
  return tables.get(name.split('/')[1] ?? name);
}

const arnOf = (name: string, table: TableResource | undefined) =>
  table?.arn ??
  (name.startsWith('arn:') ? name : `arn:aws:dynamodb:${defaultRegion}:${account}:table/${name}`);

function streamArn(arn: string, tables: ReadonlyMap<string, TableResource>): string {
  const [, name = '', , label = ''] = arn.split('/');
  return `${arnOf(name, tables.get(name))}/stream/${label}`;
}

/** The hash key of a table, or of one of its indexes. */
function hashKey(table: TableResource | undefined, index?: string): string | undefined {
  const { properties = {} } = table ?? {};
  const indexes = () => [
    ...objects(properties.GlobalSecondaryIndexes),
    ...objects(properties.LocalSecondaryIndexes),
  ];
  const owner = index === undefined ? properties : indexes().find(({ IndexName }) => IndexName === index);
  const key = objects(owner?.KeySchema).find((part) => part.KeyType === 'HASH');
  return text(key?.AttributeName);
}

function leadingKey(table: TableResource | undefined, item: Json): string[] {
  const value = item[hashKey(table) ?? ''];
  return isRecord(value) ? Object.values(value).map(String) : [];
}

/** The value that a query's condition compares the hash key to; undefined if it can't be read from it. */
function queriedKey(hashKeyName: string | undefined, input: Json): string[] | undefined {
  const condition = text(input.KeyConditionExpression) ?? '';
  const names = isRecord(input.ExpressionAttributeNames) ? input.ExpressionAttributeNames : {};
  const values = isRecord(input.ExpressionAttributeValues) ? input.ExpressionAttributeValues : {};
  for (const [, name = '', placeholder = ''] of condition.matchAll(/([#\w.]+)\s*=\s*(:\w+)/g)) {
    const value = values[placeholder];
    if ((names[name] ?? name) === hashKeyName && isRecord(value)) return Object.values(value).map(String);
  }
  return undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const entries = (value: unknown) => (isRecord(value) ? Object.entries(value) : []);

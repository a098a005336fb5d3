import { isRecord } from '../../base/json-values.ts';
import { type Capacity, indexUnits, writeUnits } from './capacity.ts';
import { type Expressions, expressionsOf } from './expressions/expressions.ts';
import { partsOf } from './expressions/projection.ts';
import type { Input } from './input.ts';
import { givenKey, indexColumns, rowKey } from './keys.ts';
import { invalid, Rejected, wrongValue } from './rejected.ts';
import { itemName, type RowKey, type Table, type Tables } from './tables.ts';
import { type Item, isSameItem, itemBytes, keptItem, mostItemBytes } from './values.ts';

export type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write whose input is valid as far as that doesn't depend on the item. */
export interface Write {
  readonly kind: Kind;
  readonly input: Input;
  readonly table: Table;
  /** The known part of the item: all of it, or its key. */
  readonly given: Item;
  readonly key: RowKey;
  readonly expressions: Expressions;
}

/** The result of a write to an item. */
export interface Outcome {
  readonly table: Table;
  readonly key: RowKey;
  /** JSON. */
  readonly before: string | undefined;
  readonly itemBefore: Item | undefined;
  readonly bytesBefore: number;
  readonly after: Item | undefined;
  readonly bytes: number;
  /** Whether the item changes; otherwise, DynamoDB writes neither item nor record. */
  readonly isChange: boolean;
}

/** Throws if the write is never valid. */
export function readWrite(tables: Tables, kind: Kind, input: Input): Write {
  const table = tables.of(input.TableName);
  const { ReturnValuesOnConditionCheckFailure: shown = 'NONE' } = input;
  if (shown !== 'NONE' && shown !== 'ALL_OLD' && shown !== null)
    throw invalid(
      `1 validation error detected: Value '${shown}' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]`,
    );
  const given = keptItem(kind === 'Put' ? input.Item : input.Key);
  const expressions = expressionsOf(input);
  const key = kind === 'Put' ? rowKey(table, given) : givenKey(table, given);
  if (kind === 'Put' && itemBytes(given) > mostItemBytes)
    throw invalid('Item size has exceeded the maximum allowed size');
  for (const [root] of expressions.update?.targets(expressions.given) ?? [])
    if (table.keys.some(({ name }) => name === root))
      throw wrongValue(`Cannot update attribute ${root}. This attribute is part of the key`);
  return { kind, input, table, given, key, expressions };
}

/** Throws if the condition isn't met, or the update doesn't fit the item. */
export function outcomeOf({ kind, input, table, given, key, expressions }: Write): Outcome {
  const row = table.find(key);
  const item: Item | undefined = row && JSON.parse(row.item);
  if (kind === 'Put') indexColumns(table.indexes, given);
  if (expressions.condition && !expressions.condition(item ?? {}, expressions.given))
    throw new Rejected(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      row && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: item } : {},
    );
  const before = { table, key, before: row?.item, itemBefore: item, bytesBefore: row?.bytes ?? 0 };
  if (kind === 'Delete') return { ...before, after: undefined, bytes: 0, isChange: item !== undefined };
  if (kind === 'ConditionCheck')
    return { ...before, after: item, bytes: before.bytesBefore, isChange: false };
  const after =
    kind === 'Put' ? given : (expressions.update?.changed(item ?? given, expressions.given) ?? item ?? given);
  const bytes = itemBytes(after);
  if (bytes > mostItemBytes) throw invalid('Item size to update has exceeded the maximum allowed size');
  if (kind === 'Update') indexColumns(table.indexes, after);
  return { ...before, after, bytes, isChange: !item || !isSameItem(item, after) };
}

export const nameOf = ({ table, key }: Pick<Write, 'table' | 'key'>): string => itemName(table, key);

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html#write-operation-consumption */
export function addCapacity(capacity: Capacity, outcome: Outcome, times = 1): void {
  if (!capacity.isAsked) return;
  const { table, itemBefore, bytesBefore, after, bytes } = outcome;
  capacity.add(table, times * writeUnits(Math.max(bytesBefore, bytes)));
  for (const index of table.indexes) {
    const units = indexUnits(index, itemBefore, after);
    if (units > 0) capacity.add(table, times * units, index);
  }
}

const allReturns = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'];

export function mustReturn(kind: Kind, { ReturnValues = 'NONE' }: Input): void {
  if (!allReturns.includes(String(ReturnValues)))
    throw invalid(
      `1 validation error detected: Value '${ReturnValues}' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`,
    );
  if (kind !== 'Update' && !['NONE', 'ALL_OLD'].includes(String(ReturnValues)))
    throw invalid('ReturnValues can only be ALL_OLD or NONE');
}

/** A member of the response, with a comma before it; empty if not requested or absent. */
export function returned({ input, expressions }: Write, { before, itemBefore, after }: Outcome): string {
  const { ReturnValues = 'NONE' } = input;
  if (ReturnValues === 'NONE') return '';
  if (ReturnValues === 'ALL_OLD') return before === undefined ? '' : `,"Attributes":${before}`;
  if (ReturnValues === 'ALL_NEW') return `,"Attributes":${JSON.stringify(after)}`;
  const { update, given } = expressions;
  const item = ReturnValues === 'UPDATED_OLD' ? itemBefore : after;
  const parts = item && update ? partsOf(item, update.targets(given)) : {};
  return Object.keys(parts).length > 0 ? `,"Attributes":${JSON.stringify(parts)}` : '';
}

/** A batch's request as a single write. */
export function ofBatch(TableName: string, request: unknown): [Kind, Input] {
  const { PutRequest, DeleteRequest } = isRecord(request) ? request : {};
  if (isRecord(PutRequest)) return ['Put', { TableName, ...PutRequest }];
  if (isRecord(DeleteRequest)) return ['Delete', { TableName, ...DeleteRequest }];
  throw invalid('Supplied AttributeValue has no PutRequest or DeleteRequest');
}

/** A transaction's part as a single write. */
export function ofTransaction(part: unknown): [Kind, Input] {
  const [[kind, input] = ['', {}], second] = isRecord(part) ? Object.entries(part) : [];
  if (second || !/^(?:Put|Update|Delete|ConditionCheck)$/.test(kind) || !isRecord(input))
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  // Tested above.
  return [kind as Kind, input];
}

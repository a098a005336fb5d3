import { type Condition, readCondition } from './conditions.ts';
import type { Given } from './operands.ts';
import { readUpdate, type Update } from './updates.ts';
import { attributeOf, type Item, mustBeName, plainBytes, Unsure } from './values.ts';

/** A write of one item, as a part of a transaction names it. */
export interface ItemWrite {
  readonly kind: 'Put' | 'Update' | 'Delete';
  readonly input: Readonly<Record<string, unknown>>;
}

/** What decides about a write beside its expressions. */
export interface ItemTable {
  /** Attributes of the key, partition key first. */
  readonly keys: readonly string[];
  /** Attributes by which indexes find items. */
  readonly indexed: readonly string[];
}

/** An item after a write; none after a deletion. Undefined if the condition isn't met. */
export type Outcome = { readonly item: Item | undefined; readonly bytes: number } | undefined;

/** DynamoDB's limit of an item. */
const mostBytes = 400 * 1024;

/**
 * What a write makes of an item, if a call of its form is valid. Throws Unsure wherever the engine could decide otherwise:
 * by a value, a type, a name, a size or an index.
 */
export function outcomeOf(write: ItemWrite, table: ItemTable, before: Item | undefined): Outcome {
  const { key, given, condition, update } = readWrite(write, table);
  if (condition && !condition(before ?? {}, given)) return undefined;
  // Unlike a condition, an update meets the key also where there was no item.
  const changed = update?.changed(before ?? key, given);
  const item = write.kind === 'Delete' ? undefined : { ...key, ...changed };
  const isIndexed = (one: Item | undefined) => one && table.indexed.some((name) => attributeOf(one, name));
  if (isIndexed(before) || isIndexed(item)) throw new Unsure('an index');
  return { item, bytes: item ? mustBeSmall(item) : 0 };
}

/** All that can be wrong in a call of a valid form is looked at before its condition is. */
function readWrite({ kind, input }: ItemWrite, { keys }: ItemTable) {
  const { Item, Key, ConditionExpression, UpdateExpression } = input;
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
  const key = (kind === 'Put' ? Item : Key) as Item;
  mustBeSmall(key);
  mustBeSmall(values);
  for (const name of Object.values(names ?? {})) mustBeName(name);
  const given = { names, values } as Given;
  const update = kind === 'Update' ? updateOf(String(UpdateExpression)) : undefined;
  const targets = [...keys, ...(update?.targets(given) ?? [])];
  if (new Set(targets).size < targets.length) throw new Unsure('names that overlap');
  const condition = ConditionExpression === undefined ? undefined : conditionOf(String(ConditionExpression));
  return { key, given, update, condition };
}

function mustBeSmall(item: unknown): number {
  const bytes = plainBytes(item);
  if (bytes > mostBytes) throw new Unsure('this size');
  return bytes;
}

/** Bytes of DynamoDB's longest sort key; a partition key may be twice as long. */
const longestKey = 1024;

/** A part of a key as the engine's file has it: only texts. */
export function keyText(value: unknown): string {
  const { S: text, ...rest } = (value ?? {}) as { readonly S?: unknown };
  if (typeof text !== 'string' || text === '' || Object.keys(rest).length > 0) throw new Unsure('a key');
  if (Buffer.byteLength(text) > longestKey) throw new Unsure('a long key');
  return `S:${text}`;
}

const conditionOf = remembered<Condition>(readCondition);
const updateOf = remembered<Update>(readUpdate);

/** Programs use a few expressions again and again; those that put values into them don't fill the memory. */
function remembered<Read>(read: (expression: string) => Read): (expression: string) => Read {
  const known = new Map<string, Read>();
  return (expression) => {
    let found = known.get(expression);
    if (!found) {
      if (known.size >= 1000) known.clear();
      found = read(expression);
      known.set(expression, found);
    }
    return found;
  };
}

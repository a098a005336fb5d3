import { orderedNumber } from './numbers.ts';
import { invalid, wrongValue } from './rejected.ts';
import type { Index, KeyPart } from './table-definition.ts';
import { attributeOf, type Item, typeOf, type Value, valueBytes } from './values.ts';

/** A key value as rows sort by it. */
export type Column = string | Buffer;

interface Keyed {
  readonly keys: readonly KeyPart[];
}

export function columnOf(value: Value): Column {
  if (value.S !== undefined) return value.S as string;
  return value.N === undefined ? Buffer.from(String(value.B), 'base64') : orderedNumber(String(value.N));
}

/** The columns of an item's key; without a sort key, the second is empty. Throws if the item lacks it. */
export function rowKey({ keys: [partition, sort] }: Keyed, item: Item): [Column, Column] {
  return [partition ? keyColumn(item, partition, 'hash') : '', sort ? keyColumn(item, sort, 'range') : ''];
}

function keyColumn(item: Item, { name, type }: KeyPart, kind: 'hash' | 'range'): Column {
  const value = attributeOf(item, name);
  if (value === undefined) throw wrongValue(`Missing the key ${name} in the item`);
  if (typeOf(value) !== type)
    throw wrongValue(`Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`);
  mustFit(value, name, kind);
  return columnOf(value);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-partition-sort-keys */
export const mostKeyBytes = { hash: 2048, range: 1024 };

function mustFit(value: Value, name: string, kind: 'hash' | 'range'): void {
  const bytes = value.N === undefined ? valueBytes(value) : 1;
  if (bytes === 0)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${value.B === undefined ? 'string' : 'binary'} value. Key: ${name}`,
    );
  const most = mostKeyBytes[kind];
  if (bytes > most)
    throw wrongValue(
      `Size of ${kind}key has exceeded the maximum size limit of${kind === 'hash' ? '' : ' '}${most} bytes`,
    );
}

/** The columns of a call's key, which may have no other attributes. */
export function givenKey(table: Keyed, key: Item): [Column, Column] {
  const { keys } = table;
  let count = 0;
  for (const _ in key) count += 1;
  const fits = keys.every(({ name, type }) => {
    const value = attributeOf(key, name);
    return value !== undefined && typeOf(value) === type;
  });
  if (!fits || count !== keys.length) throw invalid('The provided key element does not match the schema');
  return rowKey(table, key);
}

export const keyOf = ({ keys }: Keyed, item: Item): Item =>
  Object.fromEntries(keys.map(({ name }) => [name, item[name] as Value]));

export const isInIndex = ({ keys }: Index, item: Item): boolean =>
  keys.every(({ name }) => attributeOf(item, name) !== undefined);

/** The index columns of an item. Throws if an index can't hold it. */
export function indexColumns(indexes: readonly Index[], item: Item): (Column | null)[] {
  const columns: (Column | null)[] = [];
  for (const index of indexes) {
    for (const [i, part] of index.keys.entries()) {
      const value = attributeOf(item, part.name);
      mustFitIndex(index.name, part, value);
      if (value && valueBytes(value) > mostKeyBytes[i === 0 ? 'hash' : 'range'])
        throw wrongValue('Size limit exceeded');
    }
    const isIn = isInIndex(index, item);
    for (const { name } of index.keys) columns.push(isIn ? columnOf(item[name] as Value) : null);
  }
  return columns;
}

function mustFitIndex(index: string, { name, type }: KeyPart, value: Value | undefined): void {
  if (value === undefined) return;
  if (typeOf(value) !== type)
    throw wrongValue(
      `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
    );
  if (value[type] === '')
    throw invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
    );
}

/** The part of an item in an index. */
export function projected({ projected: names }: Pick<Index, 'projected'>, item: Item): Item {
  if (!names) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

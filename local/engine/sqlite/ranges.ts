import type { KeyRange } from './expressions/key-condition.ts';
import { type Column, columnOf, mostKeyBytes } from './keys.ts';
import { invalid, wrongValue } from './rejected.ts';
import type { KeyPart } from './table-definition.ts';
import { attributeOf, type Item, orderOf, typeOf, type Value, valueBytes } from './values.ts';

/** A condition on columns, in SQL. */
export interface Bound {
  readonly sql: string;
  readonly values: readonly Column[];
}

/** The partition key's value and the bounds of the sort key. */
export function rangesOf(
  keys: readonly KeyPart[],
  ranges: readonly KeyRange[],
): readonly [KeyRange, KeyRange | undefined] {
  const [partition, sort] = keys;
  const all = ranges.find(({ name }) => name === partition?.name);
  if (!all) throw invalid(`Query condition missed key schema element: ${partition?.name}`);
  if (all.operator !== '=') throw invalid('Query key condition not supported');
  const others = ranges.filter((range) => range !== all);
  for (const { name } of others)
    if (name !== sort?.name)
      throw invalid(`Query condition missed key schema element: ${sort?.name ?? name}`);
  for (const range of ranges) mustFit(range, keys);
  if (others[0]?.values.some((value) => valueBytes(value) > mostKeyBytes.range))
    throw wrongValue(
      `Aggregated size of all range keys has exceeded the size limit of ${mostKeyBytes.range} bytes`,
    );
  return [all, others[0]];
}

function mustFit({ name, values }: KeyRange, keys: readonly KeyPart[]): void {
  const type = keys.find((key) => key.name === name)?.type;
  for (const value of values) {
    if (typeOf(value) !== type) throw wrongValue('Condition parameter type does not match schema type');
    if (value.S === '')
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
  }
}

/** Throws unless a query continues after an item that meets its condition. */
export function mustStartWithin(key: Item, all: KeyRange, some: KeyRange | undefined): void {
  for (const range of some ? [all, some] : [all]) {
    const value = attributeOf(key, range.name);
    if (value && !isWithin(value, range))
      throw invalid('The provided starting key does not match the range key predicate');
  }
}

function isWithin(value: Value, { operator, values: [low, high] }: KeyRange): boolean {
  const order = (other: Value | undefined) => orderOf(value, other) ?? 0;
  switch (operator) {
    case 'begins_with':
      return value.S === undefined || String(value.S).startsWith(String(low?.S));
    case 'BETWEEN':
      return order(low) >= 0 && order(high) <= 0;
    case '=':
      return order(low) === 0;
    case '<':
      return order(low) < 0;
    case '<=':
      return order(low) <= 0;
    case '>':
      return order(low) > 0;
    default:
      return order(low) >= 0;
  }
}

export function boundsOf(column: string, { operator, values }: KeyRange): Bound[] {
  const [low, high] = values.map(columnOf);
  if (low === undefined) return [];
  if (operator === 'BETWEEN') return [{ sql: `${column} BETWEEN ? AND ?`, values: [low, high ?? low] }];
  if (operator !== 'begins_with') return [{ sql: `${column} ${operator} ?`, values: [low] }];
  const end = behind(low);
  return [
    { sql: `${column} >= ?`, values: [low] },
    ...(end === undefined ? [] : [{ sql: `${column} < ?`, values: [end] }]),
  ];
}

/** The first value after all with this prefix. Strings sort by UTF-8 bytes, which is the order of code points. */
function behind(start: Column): Column | undefined {
  if (typeof start === 'string') {
    const signs = [...start];
    const last = signs.pop()?.codePointAt(0);
    if (last === undefined) return undefined;
    if (last === 0x10ffff) return behind(signs.join(''));
    return signs.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
  }
  const bytes = Buffer.from(start);
  const at = bytes.findLastIndex((byte) => byte < 0xff);
  if (at < 0) return undefined;
  bytes.writeUInt8(bytes.readUInt8(at) + 1, at);
  return bytes.subarray(0, at + 1);
}

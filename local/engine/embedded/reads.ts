import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRecord } from '../../base/json-values.ts';
import { Capacity, readUnits } from './capacity.ts';
import { type Expressions, expressionsOf } from './expressions/expressions.ts';
import type { KeyRange } from './expressions/key-condition.ts';
import { invalid } from './rejected.ts';
import {
  type Column,
  columnOf,
  givenKey,
  type Index,
  keyOf,
  projected,
  type Row,
  type Table,
  type Tables,
} from './tables.ts';
import { attributeOf, type Item, itemBytes, keptItem, orderOf, typeOf, type Value } from './values.ts';

export type Input = Readonly<Record<string, unknown>>;

const pageBytes = 1024 * 1024;
const batchBytes = 16 * 1024 * 1024;

/** Answers, in JSON, of the calls that read items. */
export class Reads {
  readonly #tables: Tables;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(tables: Tables, database: DatabaseSync) {
    this.#tables = tables;
    this.#database = database;
  }

  get(input: Input): {
    readonly table: Table;
    readonly key: readonly [Column, Column];
    readonly text: string;
  } {
    const table = this.#tables.of(input.TableName);
    const key = givenKey(table, keptItem(input.Key));
    const row = table.find.get(...key) as unknown as Row | undefined;
    const { projection, given } = expressionsOf(input);
    const item = projection && row ? JSON.stringify(projection(JSON.parse(row.item), given)) : row?.item;
    const capacity = new Capacity(input);
    capacity.add(table, readUnits(row?.bytes ?? 0, input.ConsistentRead === true));
    return { table, key, text: object(item === undefined ? '' : `,"Item":${item}`, capacity.text(false)) };
  }

  batch(input: Input): string {
    const capacity = new Capacity(input);
    const requests = isRecord(input.RequestItems) ? Object.entries(input.RequestItems) : [];
    if (requests.length === 0) throw invalid('The requestItems parameter is required');
    let bytes = 0;
    const unprocessed: Record<string, object> = {};
    const found = requests.map(([name, request]) => {
      if (!isRecord(request) || !Array.isArray(request.Keys) || request.Keys.length === 0)
        throw invalid('The list of keys in RequestItems for BatchGetItem is required');
      const table = this.#tables.of(name);
      const { projection, given } = expressionsOf(request);
      const keys = request.Keys.map((key) => keptItem(key));
      mustDiffer(
        keys.map((key) => JSON.stringify(givenKey(table, key))),
        'Provided list of item keys contains duplicates',
      );
      const items = keys.flatMap((key) => {
        const row = rowOf(table, key);
        if (row && bytes + row.bytes > batchBytes) {
          const rest = (unprocessed[name] ??= { ...request, Keys: [] }) as { Keys: Item[] };
          rest.Keys.push(key);
          return [];
        }
        bytes += row?.bytes ?? 0;
        capacity.add(table, readUnits(row?.bytes ?? 0, request.ConsistentRead === true));
        if (!row) return [];
        return projection ? JSON.stringify(projection(JSON.parse(row.item), given)) : row.item;
      });
      return `${JSON.stringify(name)}:[${items.join()}]`;
    });
    return object(
      `,"Responses":{${found.join()}},"UnprocessedKeys":${JSON.stringify(unprocessed)}`,
      capacity.text(true),
    );
  }

  transact(input: Input): string {
    const capacity = new Capacity(input);
    const parts = Array.isArray(input.TransactItems) ? input.TransactItems : [];
    const gets = parts.map((part) => {
      const get = isRecord(part) && isRecord(part.Get) ? part.Get : undefined;
      if (!get) throw invalid('TransactItems can only contain Get');
      return { table: this.#tables.of(get.TableName), get, ...expressionsOf(get) };
    });
    mustDiffer(
      gets.map(({ table, get }) => JSON.stringify([table.name, givenKey(table, keptItem(get.Key))])),
      'Transaction request cannot include multiple operations on one item',
    );
    const items = gets.map(({ table, get, projection, given }) => {
      const row = rowOf(table, get.Key);
      capacity.add(table, 2 * readUnits(row?.bytes ?? 0, true));
      if (!row) return '{}';
      return `{"Item":${projection ? JSON.stringify(projection(JSON.parse(row.item), given)) : row.item}}`;
    });
    return object(`,"Responses":[${items.join()}]`, capacity.text(true));
  }

  query(input: Input): string {
    const table = this.#tables.of(input.TableName);
    const index = indexOf(table, input);
    const expressions = expressionsOf(input);
    const { keyCondition, given, filtered } = expressions;
    if (!keyCondition)
      throw invalid(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      );
    const { keys } = index ?? table;
    const ranges = keyCondition(given);
    const [all, some] = rangesOf(keys, ranges);
    for (const { name } of keys)
      if (filtered.includes(name))
        throw invalid(
          `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
        );
    const [first = 'pk', ...rest] = columnsOf(index);
    const bounds: Bound[] = [{ sql: `${first} = ?`, values: [columnOf(all.values[0] as Value)] }];
    if (
      input.ExclusiveStartKey &&
      !startsWithin(keptItem(input.ExclusiveStartKey), all, some)
    )
      throw invalid('The provided starting key does not match the range key predicate');
    if (some) bounds.push(...boundsOf(index ? (index.columns[1] ?? '') : 'sk', some));
    return this.#page({ table, index, input, expressions, bounds, order: rest, fixed: 1 });
  }

  scan(input: Input): string {
    const table = this.#tables.of(input.TableName);
    const index = indexOf(table, input);
    const expressions = expressionsOf(input);
    const bounds = index ? [{ sql: `${index.columns[0]} IS NOT NULL`, values: [] }] : [];
    return this.#page({ table, index, input, expressions, bounds, order: columnsOf(index), fixed: 0 });
  }

  #page({ table, index, input, expressions, bounds, order, fixed }: PageOptions): string {
    const { ConsistentRead, Select, ExclusiveStartKey: start, ScanIndexForward } = input;
    if (ConsistentRead === true && index && !index.isLocal)
      throw invalid('Consistent reads are not supported on global secondary indexes');
    const limit = limitOf(input);
    const isForward = ScanIndexForward !== false;
    if (start !== undefined && start !== null) {
      const values = startOf(table, index, keptItem(start)).slice(fixed);
      bounds.push({
        sql: `(${order.join()}) ${isForward ? '>' : '<'} (${order.map(() => '?').join()})`,
        values,
      });
    }
    const conditions = bounds.map(({ sql }) => sql).join(' AND ');
    const rows = this.#prepared(
      `SELECT item, bytes FROM ${table.rows} ${conditions && `WHERE ${conditions}`}
       ORDER BY ${order.map((column) => (isForward ? column : `${column} DESC`)).join()}`,
    );
    const page = new Page(expressions, index, Select === 'COUNT');
    const isOwn = segmentOf(input, table);
    let last: string | undefined;
    for (const row of rows.iterate(...bounds.flatMap(({ values }) => values)) as Iterable<unknown>) {
      const { item, bytes } = row as Row;
      if (!isOwn(item)) continue;
      if (!page.takes(item, bytes)) {
        last = page.last;
        break;
      }
      if (page.scanned === limit) {
        last = item;
        break;
      }
    }
    const capacity = new Capacity(input);
    capacity.add(table, readUnits(page.bytes, ConsistentRead === true), index);
    if (index) capacity.add(table, 0);
    const key =
      last === undefined
        ? ''
        : `,"LastEvaluatedKey":${JSON.stringify(startKey(table, index, JSON.parse(last)))}`;
    return object(page.text, key, capacity.text(false));
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= 200) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

interface Bound {
  readonly sql: string;
  readonly values: readonly Column[];
}

interface PageOptions {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly input: Input;
  readonly expressions: Expressions;
  readonly bounds: Bound[];
  readonly order: readonly string[];
  /** How many columns of the key have one value. */
  readonly fixed: number;
}

/** The items of a page, as far as they fit. */
class Page {
  readonly #expressions: Expressions;
  readonly #index: Index | undefined;
  readonly #isCount: boolean;
  readonly #items: string[] = [];
  bytes = 0;
  scanned = 0;
  #count = 0;
  /** JSON of the last item that was taken. */
  last: string | undefined;

  constructor(expressions: Expressions, index: Index | undefined, isCount: boolean) {
    this.#expressions = expressions;
    this.#index = index;
    this.#isCount = isCount;
  }

  /** False if the page is full. */
  takes(json: string, bytes: number): boolean {
    const own = this.#index?.projected ? itemBytes(projected(this.#index, JSON.parse(json))) : bytes;
    if (this.scanned > 0 && this.bytes + own > pageBytes) return false;
    this.bytes += own;
    this.scanned += 1;
    this.last = json;
    const { filter, projection, given } = this.#expressions;
    if (!filter && !projection && !this.#index?.projected) {
      this.#keep(json);
      return true;
    }
    const whole: Item = JSON.parse(json);
    const item = this.#index ? projected(this.#index, whole) : whole;
    if (!filter || filter(item, given))
      this.#keep(JSON.stringify(projection ? projection(item, given) : item));
    return true;
  }

  #keep(json: string): void {
    this.#count += 1;
    if (!this.#isCount) this.#items.push(json);
  }

  get text(): string {
    const items = this.#isCount ? '' : `,"Items":[${this.#items.join()}]`;
    return `${items},"Count":${this.#count},"ScannedCount":${this.scanned}`;
  }
}

/** Of members that each begin with a comma. */
export const object = (...members: string[]): string => `{${members.join('').slice(1)}}`;

export function rowOf(table: Table, key: unknown): Row | undefined {
  const [pk, sk] = givenKey(table, keptItem(key));
  return table.find.get(pk, sk) as unknown as Row | undefined;
}

export function mustDiffer(all: readonly string[], message: string): void {
  if (new Set(all).size < all.length) throw invalid(message);
}

function indexOf(table: Table, { IndexName }: Input): Index | undefined {
  if (IndexName === undefined || IndexName === null) return undefined;
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
  return index;
}

const columnsOf = (index: Index | undefined): string[] => [...(index?.columns ?? []), 'pk', 'sk'];

function limitOf({ Limit }: Input): number {
  if (Limit === undefined || Limit === null) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(Limit) && Number(Limit) >= 1) return Number(Limit);
  throw invalid(
    `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
  );
}

/** The one value of the partition key, and what is said of the sort key. */
function rangesOf(
  keys: Table['keys'],
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
  for (const { name, values } of ranges) {
    const type = keys.find((key) => key.name === name)?.type;
    for (const value of values) {
      if (typeOf(value) !== type)
        throw invalid(
          'One or more parameter values were invalid: Condition parameter type does not match schema type',
        );
      if (value.S === '')
        throw invalid(
          `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
        );
    }
  }
  return [all, others[0]];
}

/** Whether a page goes on behind an item that the condition is about. */
function startsWithin(key: Item, all: KeyRange, some: KeyRange | undefined): boolean {
  return [all, ...(some ? [some] : [])].every(({ name, operator, values: [low, high] }) => {
    const value = attributeOf(key, name);
    if (!value) return true;
    const order = (other: Value | undefined) => orderOf(value, other) ?? 0;
    if (operator === 'begins_with')
      return value.S === undefined || String(value.S).startsWith(String(low?.S));
    if (operator === 'BETWEEN') return order(low) >= 0 && order(high) <= 0;
    if (operator === '=') return order(low) === 0;
    return operator.startsWith('<')
      ? order(low) <= 0 && (operator === '<=' || order(low) < 0)
      : order(low) > 0 || (operator === '>=' && order(low) === 0);
  });
}

function boundsOf(column: string, { operator, values }: KeyRange): Bound[] {
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

/** The first that sorts behind all that begin so. */
function behind(start: Column): Column | undefined {
  const bytes = Buffer.from(start ?? '');
  if (typeof start === 'string') {
    const signs = [...start];
    const last = signs.pop()?.codePointAt(0);
    if (last === undefined) return undefined;
    if (last === 0x10ffff) return behind(signs.join(''));
    return signs.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
  }
  const at = bytes.findLastIndex((byte) => byte < 0xff);
  if (at < 0) return undefined;
  bytes.writeUInt8(bytes.readUInt8(at) + 1, at);
  return bytes.subarray(0, at + 1);
}

const startKey = (table: Table, index: Index | undefined, item: Item): Item => ({
  ...(index && keyOf(index, item)),
  ...keyOf(table, item),
});

/** The columns of the key that a page goes on behind. */
function startOf(table: Table, index: Index | undefined, key: Item): Column[] {
  const names = [...(index?.keys ?? []), ...table.keys];
  const isKey = names.every(({ name, type }) => {
    const value = attributeOf(key, name);
    return value !== undefined && typeOf(value) === type;
  });
  if (!isKey || Object.keys(key).length !== new Set(names.map(({ name }) => name)).size)
    throw invalid('The provided starting key is invalid');
  const [pk, sk] = givenKey(table, keyOf(table, key));
  return [...(index?.keys ?? []).map(({ name }) => columnOf(key[name] as Value)), pk, sk];
}

/** Whether a scan of one segment has an item. */
function segmentOf({ Segment, TotalSegments }: Input, table: Table): (item: string) => boolean {
  if (TotalSegments === undefined || TotalSegments === null || TotalSegments === 1) return () => true;
  const name = table.keys[0]?.name ?? '';
  return (item) => {
    const digest = hash('md5', JSON.stringify(JSON.parse(item)[name]), 'buffer').readUInt32BE();
    return digest % Number(TotalSegments) === Number(Segment);
  };
}

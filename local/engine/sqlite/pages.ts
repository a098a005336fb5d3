import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { Capacity, readUnits } from './capacity.ts';
import { type Expressions, expressionsOf } from './expressions/expressions.ts';
import type { Input } from './input.ts';
import { type Column, columnOf, givenKey, keyOf, projected } from './keys.ts';
import { type Bound, boundsOf, mustStartWithin, rangesOf } from './ranges.ts';
import { object } from './reads.ts';
import { invalid } from './rejected.ts';
import { type Selection, selectionOf } from './selection.ts';
import type { Index } from './table-definition.ts';
import type { Row, Table, Tables } from './tables.ts';
import { attributeOf, type Item, itemBytes, keptItem, typeOf, type Value } from './values.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const pageBytes = 1024 * 1024;
/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html#DDB-Scan-request-TotalSegments */
const mostSegments = 1_000_000;
/** Bytes of one step, which blocks all other calls. */
const stepBytes = 128 * 1024;
const stepRows = 400;

interface Reading {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly input: Input;
  readonly expressions: Expressions;
  readonly bounds: readonly Bound[];
  /** Key columns that order the rows; a query's exclude the partition key. */
  readonly order: readonly string[];
}

/** Makes the JSON responses of Query and Scan. */
export class Pages {
  readonly #tables: Tables;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(tables: Tables, database: DatabaseSync) {
    this.#tables = tables;
    this.#database = database;
  }

  query(input: Input): Promise<string> {
    const table = this.#tables.of(input.TableName);
    const index = indexOf(table, input);
    const expressions = expressionsOf(input);
    const { keyCondition, given, filtered } = expressions;
    if (!keyCondition)
      throw invalid(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      );
    const { keys } = index ?? table;
    const [all, some] = rangesOf(keys, keyCondition(given));
    const key = keys.find(({ name }) => filtered.includes(name));
    if (key)
      throw invalid(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key.name}`,
      );
    const [first = 'pk', ...order] = columnsOf(index);
    const start = input.ExclusiveStartKey;
    if (isGiven(start)) mustStartWithin(keptItem(start), all, some);
    const bounds: Bound[] = [{ sql: `${first} = ?`, values: all.values.map(columnOf) }];
    if (some) bounds.push(...boundsOf(index ? (index.columns[1] ?? '') : 'sk', some));
    return this.#page({ table, index, input, expressions, bounds, order });
  }

  scan(input: Input): Promise<string> {
    const table = this.#tables.of(input.TableName);
    const index = indexOf(table, input);
    const bounds = index ? [{ sql: `${index.columns[0]} IS NOT NULL`, values: [] }] : [];
    return this.#page({
      table,
      index,
      input,
      expressions: expressionsOf(input),
      bounds,
      order: columnsOf(index),
    });
  }

  async #page(reading: Reading): Promise<string> {
    const { table, index, input, expressions, order } = reading;
    const { ConsistentRead, ExclusiveStartKey: given } = input;
    if (ConsistentRead === true && index && !index.isLocal)
      throw invalid('Consistent reads are not supported on global secondary indexes');
    const selection = selectionOf(input, index, expressions);
    const page = new Page({ expressions, index, input, selection });
    const isOwn = segmentOf(input, table);
    let start = isGiven(given) ? startOf(table, index, keptItem(given)).slice(-order.length) : undefined;
    for (;;) {
      const isOver = this.#read(reading, start, (row) => !isOwn(row.item) || page.takes(row));
      if (isOver || page.isFull || page.last === undefined) break;
      start = startOf(table, index, startKey(table, index, JSON.parse(page.last))).slice(-order.length);
      await turn();
    }
    const capacity = new Capacity(input);
    capacity.add(table, readUnits(page.bytes, ConsistentRead === true), index);
    if (index) capacity.add(table, page.fetched);
    const last =
      page.isFull && page.last !== undefined ? startKey(table, index, JSON.parse(page.last)) : undefined;
    return object(page.text, last ? `,"LastEvaluatedKey":${JSON.stringify(last)}` : '', capacity.text(false));
  }

  /** Reads rows while they fit, at most one step. True if there are no more. */
  #read(
    { table, input, bounds, order }: Reading,
    start: readonly Column[] | undefined,
    takes: (row: Row) => boolean,
  ): boolean {
    const isForward = input.ScanIndexForward !== false;
    const behind = `(${order.join()}) ${isForward ? '>' : '<'} (${order.map(() => '?').join()})`;
    const all = start ? [...bounds, { sql: behind, values: start }] : bounds;
    const statement = this.#prepared(
      `SELECT item, bytes FROM ${table.rows} ${all.length > 0 ? `WHERE ${all.map(({ sql }) => sql).join(' AND ')}` : ''}
       ORDER BY ${order.map((column) => (isForward ? column : `${column} DESC`)).join()}`,
    );
    let [rows, bytes] = [0, 0];
    for (const one of statement.iterate(...all.flatMap(({ values }) => values))) {
      // A row of this query has these columns.
      const row = one as unknown as Row;
      if (!takes(row)) return false;
      rows += 1;
      bytes += row.bytes;
      if (rows === stepRows || bytes > stepBytes) return false;
    }
    return true;
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

interface PageOptions extends Pick<Reading, 'expressions' | 'index' | 'input'> {
  readonly selection: Selection;
}

/** The items that fit into a page. */
class Page {
  readonly #expressions: Expressions;
  readonly #index: Index | undefined;
  readonly #selection: Selection;
  readonly #isConsistent: boolean;
  readonly #limit: number;
  readonly #items: string[] = [];
  bytes = 0;
  /** Read units in addition to the index's. */
  fetched = 0;
  isFull = false;
  #scanned = 0;
  #count = 0;
  /** JSON of the last item read. */
  last: string | undefined;

  constructor({ expressions, index, input, selection }: PageOptions) {
    this.#expressions = expressions;
    this.#index = index;
    this.#selection = selection;
    this.#isConsistent = input.ConsistentRead === true;
    this.#limit = limitOf(input);
  }

  /** Takes a row; false if it was the last that fits. The one that crosses the limit does. */
  takes({ item: json, bytes }: Row): boolean {
    this.bytes += this.#index?.projected ? itemBytes(projected(this.#index, JSON.parse(json))) : bytes;
    this.#scanned += 1;
    this.last = json;
    this.#filter(json, bytes);
    this.isFull = this.#scanned === this.#limit || this.bytes >= pageBytes;
    return !this.isFull;
  }

  #filter(json: string, bytes: number): void {
    const { filter, projection, given } = this.#expressions;
    if (!filter && !projection && !this.#index?.projected) {
      this.#keep(json);
      return;
    }
    const whole: Item = JSON.parse(json);
    const { isCount, isFetched } = this.#selection;
    const item = this.#index && !isFetched ? projected(this.#index, whole) : whole;
    if (filter && !filter(item, given)) return;
    if (isFetched) this.fetched += readUnits(bytes, this.#isConsistent);
    this.#keep(isCount ? '' : JSON.stringify(projection ? projection(item, given) : item));
  }

  #keep(json: string): void {
    this.#count += 1;
    if (!this.#selection.isCount) this.#items.push(json);
  }

  get text(): string {
    const items = this.#selection.isCount ? '' : `,"Items":[${this.#items.join()}]`;
    return `${items},"Count":${this.#count},"ScannedCount":${this.#scanned}`;
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function indexOf(table: Table, { IndexName }: Input): Index | undefined {
  if (!isGiven(IndexName)) return undefined;
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (!index) throw invalid(`The table does not have the specified index: ${IndexName}`);
  return index;
}

const columnsOf = (index: Index | undefined): string[] => [...(index?.columns ?? []), 'pk', 'sk'];

function limitOf({ Limit }: Input): number {
  if (!isGiven(Limit)) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(Limit) && Number(Limit) >= 1) return Number(Limit);
  throw invalid(
    `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
  );
}

const startKey = (table: Table, index: Index | undefined, item: Item): Item => ({
  ...(index && keyOf(index, item)),
  ...keyOf(table, item),
});

/** The key columns after which a page continues. */
function startOf(table: Table, index: Index | undefined, key: Item): Column[] {
  const names = [...(index?.keys ?? []), ...table.keys];
  const isKey = names.every(({ name, type }) => {
    const value = attributeOf(key, name);
    return value !== undefined && typeOf(value) === type;
  });
  if (!isKey || Object.keys(key).length !== new Set(names.map(({ name }) => name)).size)
    throw invalid('The provided starting key is invalid');
  const own = givenKey(table, keyOf(table, key));
  return [...(index?.keys ?? []).map(({ name }) => columnOf(key[name] as Value)), ...own];
}

/** Whether an item belongs to the segment of a scan. */
function segmentOf({ Segment, TotalSegments }: Input, table: Table): (item: string) => boolean {
  if (isGiven(Segment) !== isGiven(TotalSegments))
    throw invalid(
      isGiven(Segment)
        ? 'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'
        : 'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  if (Number(TotalSegments) > mostSegments)
    throw invalid(
      `1 validation error detected: Value '${TotalSegments}' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to ${mostSegments}`,
    );
  if (Number(Segment) < 0)
    throw invalid(
      `1 validation error detected: Value '${Segment}' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0`,
    );
  if (Number(Segment) >= Number(TotalSegments))
    throw invalid(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
    );
  if (!isGiven(TotalSegments) || TotalSegments === 1) return () => true;
  const name = table.keys[0]?.name ?? '';
  return (item) => {
    const digest = hash('md5', JSON.stringify(JSON.parse(item)[name]), 'buffer').readUInt32BE();
    return digest % Number(TotalSegments) === Number(Segment);
  };
}

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Column, indexColumns } from './keys.ts';
import { noTable, Rejected, wrongValue } from './rejected.ts';
import {
  type Definition,
  definitionOf,
  type Index,
  indexesOf,
  type KeyPart,
  keyParts,
  streamOf,
  type TableStream,
} from './table-definition.ts';
import { attributeOf, type Item } from './values.ts';

export interface Row {
  readonly item: string;
  readonly bytes: number;
}

export interface ExpiredRow {
  readonly pk: string | Uint8Array;
  readonly sk: string | Uint8Array;
}

interface KeptItem {
  readonly item: Item;
  readonly json: string;
  /** Its size as DynamoDB counts it. */
  readonly bytes: number;
}

export interface Table {
  readonly name: string;
  readonly keys: readonly KeyPart[];
  readonly indexes: readonly Index[];
  readonly definition: Definition;
  readonly stream: TableStream | undefined;
  /** The attribute with the time to live, if enabled. */
  readonly ttl: string | undefined;
  /** SQL name of the table with its rows. */
  readonly rows: string;
  readonly find: (key: RowKey) => Row | undefined;
  /** Stores an item in place of the earlier one. */
  readonly put: (key: RowKey, kept: KeptItem, before: Item | undefined) => void;
  readonly remove: (key: RowKey) => void;
  /** Selects keys by expiry second: from (inclusive), to (exclusive), limit. */
  readonly expired: StatementSync;
}

export type RowKey = readonly [Column, Column];

export const schema = `
  CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS changes (
    number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, event TEXT NOT NULL, keys TEXT NOT NULL,
    new_image TEXT, old_image TEXT, second INTEGER NOT NULL, identity TEXT, bytes INTEGER);`;

/** The tables of a file, by their names. */
export class Tables {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, Table>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const { name, definition } of database.prepare('SELECT * FROM tables').all())
      this.#known.set(String(name), openTable(database, JSON.parse(String(definition))));
  }

  find(name: string): Table | undefined {
    return this.#known.get(name);
  }

  /** The table of a name or ARN. Throws if there is none. */
  of(given: unknown): Table {
    const name = nameIn(given);
    const table = this.#known.get(name);
    if (!table) throw noTable(name);
    return table;
  }

  get names(): string[] {
    return [...this.#known.keys()].sort();
  }

  create(input: Readonly<Record<string, unknown>>): Table {
    const definition = definitionOf(input, new Date().toISOString().slice(0, -1));
    const { TableName: name } = definition;
    if (this.#known.has(name)) throw new Rejected('ResourceInUseException', `Table already exists: ${name}`);
    const rows = rowsOf(name);
    const indexes = indexesOf(definition);
    const columns = indexes.flatMap((index) => index.columns);
    // Each DynamoDB index is a SQLite index on columns of the item's row.
    this.#database.exec(
      [
        `CREATE TABLE ${rows} (pk NOT NULL, sk NOT NULL, item TEXT NOT NULL, bytes INTEGER NOT NULL, expires INTEGER,
           ${columns.map((column) => `${column}, `).join('')} PRIMARY KEY (pk, sk)) WITHOUT ROWID`,
        `CREATE INDEX ${quoted(`expiry ${name}`)} ON ${rows} (expires) WHERE expires IS NOT NULL`,
        ...indexes.map(
          ({ name: index, columns: own }) =>
            `CREATE INDEX ${quoted(`index ${name} ${index}`)} ON ${rows} (${own.join(', ')}) WHERE ${own[0]} IS NOT NULL`,
        ),
      ].join(';'),
    );
    return this.#keep(definition);
  }

  /** Sets the time-to-live attribute; undefined disables it. */
  setTtl({ definition, rows }: Table, AttributeName: string | undefined): void {
    const Enabled = AttributeName !== undefined;
    this.#keep({ ...definition, TimeToLive: Enabled ? { Enabled, AttributeName } : { Enabled } });
    this.#database
      .prepare(
        `UPDATE ${rows} SET expires = CAST(json_extract(item, '$.' || json_quote(?) || '.N') AS INTEGER)`,
      )
      .run(AttributeName ?? '');
  }

  drop(table: Table): Table {
    this.#database.exec(`DROP TABLE ${table.rows}`);
    this.#database.prepare('DELETE FROM tables WHERE name = ?').run(table.name);
    this.#database.prepare('DELETE FROM changes WHERE table_name = ?').run(table.name);
    this.#known.delete(table.name);
    return table;
  }

  #keep(definition: Definition): Table {
    const table = openTable(this.#database, definition);
    this.#database
      .prepare('INSERT OR REPLACE INTO tables (name, definition) VALUES (?, ?)')
      .run(table.name, JSON.stringify(definition));
    this.#known.set(table.name, table);
    return table;
  }
}

/** Calls may name a table by its ARN. */
function nameIn(name: unknown): string {
  if (typeof name !== 'string' || name === '')
    throw wrongValue("The parameter 'TableName' is required but was not present in the request");
  return name.startsWith('arn:') ? (name.split('/')[1] ?? '') : name;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const rowsOf = (name: string) => quoted(`items ${name}`);

function openTable(database: DatabaseSync, definition: Definition): Table {
  const { TableName: name, TimeToLive: ttl } = definition;
  const rows = rowsOf(name);
  const [keys, indexes] = [keyParts(definition, definition.KeySchema), indexesOf(definition)];
  const find = database.prepare(`SELECT item, bytes FROM ${rows} WHERE pk = ? AND sk = ?`);
  const remove = database.prepare(`DELETE FROM ${rows} WHERE pk = ? AND sk = ?`);
  const attribute = ttl?.Enabled ? ttl.AttributeName : undefined;
  return {
    name,
    keys,
    indexes,
    definition,
    stream: streamOf(definition),
    ttl: attribute,
    rows,
    // A row of this query has these columns.
    find: ([pk, sk]) => find.get(pk, sk) as unknown as Row | undefined,
    put: putter(database, { rows, indexes, ttl: attribute }),
    remove: ([pk, sk]) => remove.run(pk, sk),
    expired: database.prepare(`SELECT pk, sk FROM ${rows} WHERE expires >= ? AND expires < ? LIMIT ?`),
  };
}

/** Makes `put`, which skips indexes in which the item keeps its place. */
function putter(
  database: DatabaseSync,
  { rows, indexes, ttl }: Pick<Table, 'rows' | 'indexes' | 'ttl'>,
): Table['put'] {
  const columns = ['pk', 'sk', 'item', 'bytes', 'expires', ...indexes.flatMap((index) => index.columns)];
  const put = database.prepare(
    `INSERT OR REPLACE INTO ${rows} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const change = database.prepare(`UPDATE ${rows} SET item = ?, bytes = ? WHERE pk = ? AND sk = ?`);
  const prolong = database.prepare(
    `UPDATE ${rows} SET item = ?, bytes = ?, expires = ? WHERE pk = ? AND sk = ?`,
  );
  const secondIn = (item: Item) => (ttl === undefined ? null : secondOf(item, ttl));
  return ([pk, sk], { item, json, bytes }, before) => {
    const [second, places] = [secondIn(item), indexColumns(indexes, item)];
    const former = before && indexColumns(indexes, before);
    if (!before || !former?.every((place, i) => place === places[i]))
      put.run(pk, sk, json, bytes, second, ...places);
    else if (second === secondIn(before)) change.run(json, bytes, pk, sk);
    else prolong.run(json, bytes, second, pk, sk);
  };
}

function secondOf(item: Item, attribute: string): number | null {
  const value = attributeOf(item, attribute)?.N;
  return value === undefined ? null : Math.trunc(Number(value));
}

/** A unique name of an item. */
export const itemName = ({ name }: Table, [pk, sk]: RowKey): string =>
  `${name}\n${typeof pk === 'string' ? pk : pk.toString('base64')}\n${typeof sk === 'string' ? sk : sk.toString('base64')}`;

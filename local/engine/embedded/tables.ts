import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRecord } from '../../base/json-values.ts';
import { orderedNumber } from './numbers.ts';
import { invalid, noTable, Rejected } from './rejected.ts';
import { attributeOf, type Item, itemBytes, typeOf, type Value } from './values.ts';

type Json = Readonly<Record<string, unknown>>;

interface KeyPart {
  readonly name: string;
  readonly type: string;
}

export interface Index {
  readonly name: string;
  /** Partition key first. */
  readonly keys: readonly KeyPart[];
  readonly isLocal: boolean;
  /** Undefined: all attributes. */
  readonly projected: readonly string[] | undefined;
  /** Its columns in the table of items. */
  readonly columns: readonly string[];
}

export type Column = string | Buffer | null;

/** A row of a table of items. */
export interface Row {
  readonly item: string;
  readonly bytes: number;
}

export interface Table {
  readonly name: string;
  readonly keys: readonly KeyPart[];
  readonly indexes: readonly Index[];
  readonly definition: Json;
  readonly stream: { readonly hasNew: boolean; readonly hasOld: boolean; readonly view: string } | undefined;
  /** Of its rows, in SQL. */
  readonly rows: string;
  readonly find: StatementSync;
  readonly put: StatementSync;
  readonly remove: StatementSync;
}

export const schema = `
  CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS changes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, event TEXT NOT NULL, keys TEXT NOT NULL,
    new_image TEXT, old_image TEXT, second INTEGER NOT NULL, identity TEXT);`;

/** The tables of a file, by their names. */
export class Tables {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, Table>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const { name, definition } of database.prepare('SELECT * FROM tables').all())
      this.#known.set(String(name), openTable(database, JSON.parse(String(definition))));
  }

  of(name: unknown): Table {
    const table = this.#known.get(nameIn(name));
    if (!table) throw noTable(nameIn(name));
    return table;
  }

  get names(): string[] {
    return [...this.#known.keys()].sort();
  }

  create(input: Json, label = new Date().toISOString().slice(0, -1)): Table {
    const name = nameIn(input.TableName);
    if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name))
      throw invalid('TableName must be at least 3 characters long and at most 255 characters long');
    if (this.#known.has(name)) throw new Rejected('ResourceInUseException', `Table already exists: ${name}`);
    const definition: Json = {
      ...input,
      TableId: crypto.randomUUID(),
      CreationDateTime: Date.now() / 1000,
      LatestStreamLabel: label,
    };
    const columns = indexesOf(definition).flatMap((index) => index.columns);
    keyParts(definition, definition.KeySchema);
    const rows = quoted(`items ${name}`);
    this.#database.exec(
      `CREATE TABLE ${rows} (pk NOT NULL, sk NOT NULL, item TEXT NOT NULL, bytes INTEGER NOT NULL,
         ${columns.map((column) => `${column}, `).join('')} PRIMARY KEY (pk, sk)) WITHOUT ROWID`,
    );
    for (const { name: index, columns: own } of indexesOf(definition))
      this.#database.exec(
        `CREATE INDEX ${quoted(`index ${name} ${index}`)} ON ${rows} (${own.join(', ')}) WHERE ${own[0]} IS NOT NULL`,
      );
    return this.#keep(definition);
  }

  setTtl(name: unknown, TimeToLive: object): void {
    this.#keep({ ...this.of(name).definition, TimeToLive });
  }

  drop(name: unknown): Table {
    const table = this.of(name);
    this.#database.exec(`DROP TABLE ${table.rows}`);
    this.#database.prepare('DELETE FROM tables WHERE name = ?').run(table.name);
    this.#database.prepare('DELETE FROM changes WHERE table_name = ?').run(table.name);
    this.#known.delete(table.name);
    return table;
  }

  #keep(definition: Json): Table {
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
    throw invalid("The parameter 'TableName' is required but was not present in the request");
  return name.startsWith('arn:') ? (name.split('/')[1] ?? '') : name;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const records = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function keyParts(definition: Json, schemaOf: unknown): KeyPart[] {
  const defined = records(definition.AttributeDefinitions);
  return records(schemaOf).map(({ AttributeName: name }) => {
    const type = defined.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
    if (type === undefined)
      throw invalid(
        'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions',
      );
    return { name: String(name), type: String(type) };
  });
}

function indexesOf(definition: Json): Index[] {
  const local = records(definition.LocalSecondaryIndexes);
  return [...records(definition.GlobalSecondaryIndexes), ...local].map((index, i) => {
    const keys = keyParts(definition, index.KeySchema);
    const { ProjectionType = 'ALL', NonKeyAttributes = [] } = isRecord(index.Projection)
      ? index.Projection
      : {};
    const own = [...keyParts(definition, definition.KeySchema), ...keys].map(({ name }) => name);
    return {
      name: String(index.IndexName),
      keys,
      isLocal: local.includes(index),
      projected: ProjectionType === 'ALL' ? undefined : [...own, ...(NonKeyAttributes as string[])],
      columns: keys.map((_, part) => `key_${i}_${part}`),
    };
  });
}

function openTable(database: DatabaseSync, definition: Json): Table {
  const name = String(definition.TableName);
  const rows = quoted(`items ${name}`);
  const indexes = indexesOf(definition);
  const columns = ['pk', 'sk', 'item', 'bytes', ...indexes.flatMap((index) => index.columns)];
  const { StreamEnabled, StreamViewType = '' } = isRecord(definition.StreamSpecification)
    ? definition.StreamSpecification
    : {};
  const view = String(StreamViewType);
  return {
    name,
    keys: keyParts(definition, definition.KeySchema),
    indexes,
    definition,
    stream:
      StreamEnabled === true
        ? { hasNew: view.includes('NEW'), hasOld: view.includes('OLD'), view }
        : undefined,
    rows,
    find: database.prepare(`SELECT item, bytes FROM ${rows} WHERE pk = ? AND sk = ?`),
    put: database.prepare(
      `INSERT OR REPLACE INTO ${rows} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ),
    remove: database.prepare(`DELETE FROM ${rows} WHERE pk = ? AND sk = ?`),
  };
}

/** A value of a key as rows are ordered by it. */
export function columnOf(value: Value): Column {
  if (value.S !== undefined) return String(value.S);
  return value.N === undefined ? Buffer.from(String(value.B), 'base64') : orderedNumber(String(value.N));
}

/** The columns of an item's key. Throws if the item hasn't got it. */
export function rowKey({ keys }: Table, item: Item): [Column, Column] {
  const [pk, sk = ''] = keys.map((part, i) => {
    const value = attributeOf(item, part.name);
    if (value === undefined)
      throw invalid(`One or more parameter values were invalid: Missing the key ${part.name} in the item`);
    if (typeOf(value) !== part.type)
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${part.name} expected: ${part.type} actual: ${typeOf(value)}`,
      );
    mustBeKey(value, part.name, i);
    return columnOf(value);
  });
  return [pk as Column, sk];
}

function mustBeKey(value: Value, name: string, place: number): void {
  const bytes = itemBytes({ '': value });
  if (bytes === 0)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${value.B === undefined ? 'string' : 'binary'} value. Key: ${name}`,
    );
  const most = place === 0 ? 2048 : 1024;
  if (bytes > most)
    throw invalid(
      `One or more parameter values were invalid: Size of ${place === 0 ? 'hashkey' : 'rangekey'} has exceeded the maximum size limit of${place === 0 ? '' : ' '}${most} bytes`,
    );
}

/** The same of a call's key, which has nothing else. */
export function givenKey(table: Table, key: Item): [Column, Column] {
  const matches =
    Object.keys(key).length === table.keys.length &&
    table.keys.every(
      ({ name, type }) => attributeOf(key, name) !== undefined && typeOf(key[name] as Value) === type,
    );
  if (!matches) throw invalid('The provided key element does not match the schema');
  return rowKey(table, key);
}

export const keyOf = ({ keys }: { readonly keys: readonly KeyPart[] }, item: Item): Item =>
  Object.fromEntries(keys.map(({ name }) => [name, item[name] as Value]));

export const isInIndex = ({ keys }: Index, item: Item): boolean =>
  keys.every(({ name }) => attributeOf(item, name) !== undefined);

/** The columns by which indexes find an item. */
export function indexColumns({ indexes }: Table, item: Item): Column[] {
  return indexes.flatMap((index) => {
    for (const { name, type } of index.keys) mustFitIndex(index.name, name, type, attributeOf(item, name));
    const isIn = isInIndex(index, item);
    return index.keys.map(({ name }) => (isIn ? columnOf(item[name] as Value) : null));
  });
}

function mustFitIndex(index: string, name: string, type: string, value: Value | undefined): void {
  if (value === undefined) return;
  if (typeOf(value) !== type)
    throw invalid(
      `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
    );
  if (value[type] === '')
    throw invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
    );
}

/** What an index has of an item. */
export function projected({ projected: names }: Pick<Index, 'projected'>, item: Item): Item {
  if (!names) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

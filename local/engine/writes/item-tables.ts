import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ItemTable } from './item-write.ts';
import { columnsOf, itemColumns } from './known-form.ts';
import { Unsure } from './values.ts';

/** A table of items as Dynoxide keeps it. */
export interface KeptTable extends ItemTable {
  /** Undefined without a stream. */
  readonly stream: { readonly hasNew: boolean; readonly hasOld: boolean } | undefined;
  readonly find: StatementSync;
  readonly put: StatementSync;
  readonly remove: StatementSync;
}

/** A row of the engine's list of tables. */
interface Row {
  readonly key_schema: string;
  readonly gsi_definitions: string | null;
  readonly lsi_definitions: string | null;
  readonly vector_index_definitions: string | null;
  readonly stream_enabled: number;
  readonly stream_view_type: string | null;
}

type KeySchema = readonly { readonly AttributeName: string }[];

/** Tables by their names. Throws Unsure for one that only the engine can write. */
export function itemTables(database: DatabaseSync): { of(name: string): KeptTable; forget(): void } {
  const known = new Map<string, KeptTable | undefined>();
  return {
    of: (name) => {
      if (!known.has(name)) known.set(name, openTable(database, name));
      const table = known.get(name);
      if (!table) throw new Unsure('a table');
      return table;
    },
    forget: () => known.clear(),
  };
}

function openTable(database: DatabaseSync, name: string): KeptTable | undefined {
  const row = database.prepare('SELECT * FROM _tables WHERE table_name = ?').get(name) as Row | undefined;
  if (!row || columnsOf(database, name) !== itemColumns) return undefined;
  if (row.lsi_definitions !== null || row.vector_index_definitions !== null) return undefined;
  const indexes: readonly { KeySchema: KeySchema }[] = JSON.parse(row.gsi_definitions ?? '[]');
  const view = row.stream_view_type ?? '';
  const quoted = `"${name.replaceAll('"', '""')}"`;
  return {
    keys: namesOf(JSON.parse(row.key_schema)),
    indexed: indexes.flatMap(({ KeySchema }) => namesOf(KeySchema)),
    stream:
      row.stream_enabled === 1 ? { hasNew: view.includes('NEW'), hasOld: view.includes('OLD') } : undefined,
    find: database.prepare(`SELECT item_json FROM ${quoted} WHERE pk = ? AND sk = ?`),
    put: database.prepare(
      `INSERT INTO ${quoted} (pk, sk, item_json, item_size, hash_prefix) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (pk, sk) DO UPDATE SET item_json = excluded.item_json, item_size = excluded.item_size`,
    ),
    remove: database.prepare(`DELETE FROM ${quoted} WHERE pk = ? AND sk = ?`),
  };
}

const namesOf = (schema: KeySchema) => schema.map(({ AttributeName }) => AttributeName);

/** By which the engine divides a scan of several segments. */
export const scanPrefix = (pk: string): string => hash('md5', `Outliers${pk.slice('S:'.length)}`).slice(0, 6);

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { store, type Tables } from './tables.ts';

/**
 * Takes over, once, what Dynoxide kept in this folder: tables, items and the stream's records under their numbers and its
 * name, so readers go on where they were. The old file stays as it is.
 */
export function takeOver(folder: string, database: DatabaseSync, tables: Tables): void {
  const file = join(folder, 'dynamodb.sqlite');
  if (tables.names.length > 0 || !existsSync(file)) return;
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const old = new Database(file, { timeout: 1000 });
  database.exec('BEGIN IMMEDIATE');
  for (const row of old.prepare('SELECT * FROM _tables').all()) {
    const json = (column: string) => (row[column] ? JSON.parse(String(row[column])) : undefined);
    const name = String(row.table_name);
    const table = tables.create(
      {
        TableName: name,
        KeySchema: json('key_schema'),
        AttributeDefinitions: json('attribute_definitions'),
        BillingMode: row.billing_mode,
        GlobalSecondaryIndexes: json('gsi_definitions'),
        LocalSecondaryIndexes: json('lsi_definitions'),
        ...(row.stream_enabled === 1 && {
          StreamSpecification: { StreamEnabled: true, StreamViewType: row.stream_view_type },
        }),
        ...(row.ttl_enabled === 1 && { TimeToLive: { Enabled: true, AttributeName: row.ttl_attribute } }),
      },
      row.stream_label === null ? undefined : String(row.stream_label),
    );
    for (const { item_json: text } of old
      .prepare(`SELECT item_json FROM "${name.replaceAll('"', '""')}"`)
      .iterate()) {
      store(table, JSON.parse(String(text)));
    }
  }
  const keep = database.prepare('INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const records = old.prepare('SELECT * FROM _stream_records ORDER BY id').iterate();
  for (const {
    sequence_number: number,
    table_name,
    event_name,
    keys_json,
    new_image,
    old_image,
    created_at,
    user_identity,
  } of records)
    keep.run(
      ...([
        Number(number),
        table_name,
        event_name,
        keys_json,
        new_image,
        old_image,
        created_at,
        user_identity,
      ] as string[]),
    );
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  old.close();
}

import type { DatabaseSync } from 'node:sqlite';

/** What `dynoxide --version` says. */
const knownVersion = 'dynoxide 1.2.1';

const knownSchema = '9';

/** Columns of its own tables. */
const knownColumns: Readonly<Record<string, string>> = {
  _config: 'key value',
  _stream_records:
    'id table_name event_name keys_json new_image old_image sequence_number shard_id created_at user_identity',
  _tables:
    'table_name key_schema attribute_definitions gsi_definitions lsi_definitions stream_enabled stream_view_type stream_label ttl_attribute ttl_enabled created_at table_status billing_mode provisioned_throughput tags sse_specification table_class deletion_protection_enabled on_demand_throughput table_id vector_index_definitions',
};

/** Columns of a table of items. */
export const itemColumns = 'pk sk item_json item_size cached_at hash_prefix';

/** Says what of an engine and its file isn't as it is known here. */
export function unknownForm(database: DatabaseSync, version: string | undefined): string | undefined {
  if (version !== knownVersion)
    return `the engine is ${version ?? 'of an unknown version'} and not ${knownVersion}`;
  for (const [name, columns] of Object.entries(knownColumns)) {
    if (columnsOf(database, name) !== columns) return `its table ${name} has other columns`;
  }
  const schema = database.prepare("SELECT value FROM _config WHERE key = 'schema_version'").get()?.value;
  return schema === knownSchema ? undefined : `its schema_version is ${schema} and not ${knownSchema}`;
}

export const columnsOf = (database: DatabaseSync, table: string): string =>
  database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)
    .join(' ');

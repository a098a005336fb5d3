import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EngineRecord, Image } from '../event-source-mapping/stream-record.ts';
import { heldRecords } from './held-records.ts';

/**
 * What Dynoxide has committed, read beside it: the engine handles one call at a time, and copies an item or a record
 * several times for a response.
 */
export interface EngineFile {
  /** JSON of an item by its key, partition key first, or null if there is none. Undefined: only the engine knows. */
  itemOf(tableName: string, key: readonly unknown[]): string | null | undefined;
  /** A table's stream records in order, behind the one with this number, or from the oldest on; only what is on disk. */
  recordsOf(tableName: string, from: RecordsFrom): EngineRecord[];
  close(): void;
}

interface RecordsFrom {
  readonly after: string | undefined;
  readonly limit: number;
}

interface Row {
  readonly id: number;
  readonly event_name: EngineRecord['eventName'];
  readonly keys_json: string;
  readonly new_image: string | null;
  readonly old_image: string | null;
  readonly sequence_number: string;
  readonly created_at: number;
  readonly user_identity: string | null;
  readonly stream_view_type: string;
}

/** Undefined if the file isn't as expected: then the engine has to be asked. `held` is told by who writes beside it. */
export function openEngineFile(file: string | undefined, held?: SharedArrayBuffer): EngineFile | undefined {
  if (file === undefined) return undefined;
  try {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    const hold = held && heldRecords(held);
    const records = database.prepare(
      `SELECT id, event_name, keys_json, new_image, old_image, sequence_number, _stream_records.created_at,
         user_identity, stream_view_type
       FROM _stream_records JOIN _tables USING (table_name)
       WHERE table_name = ? AND CAST(sequence_number AS INTEGER) > ?
       ORDER BY CAST(sequence_number AS INTEGER) LIMIT ?`,
    );
    return {
      itemOf: itemReader(database),
      recordsOf: (tableName, { after = '0', limit }) => {
        const rows = records.all(tableName, Number(after), limit) as unknown as Row[];
        // Looked up afterwards: what wasn't held before may have been committed since.
        const from = Number(hold?.from ?? 0n) || Number.POSITIVE_INFINITY;
        return rows.filter(({ id }) => id < from).map(recordOf);
      },
      close: () => database.close(),
    };
  } catch {
    return undefined;
  }
}

function itemReader(database: DatabaseSync): EngineFile['itemOf'] {
  const tables = new Map<string, StatementSync>();
  const open = (name: string): StatementSync => {
    const read = database.prepare(
      `SELECT item_json FROM "${name.replaceAll('"', '""')}" WHERE pk = ? AND sk = ?`,
    );
    tables.set(name, read);
    return read;
  };
  return (tableName, key) => {
    const [pk, sk = ''] = key.map(keyText);
    if (pk === undefined || (key.length > 1 && sk === '')) return undefined;
    try {
      const row = (tables.get(tableName) ?? open(tableName)).get(pk, sk);
      return row ? String(row.item_json) : null;
    } catch {
      return undefined;
    }
  };
}

/** Undefined for keys that aren't strings, and for the empty one, which no item has: those are left to the engine. */
function keyText(value: unknown): string | undefined {
  const { S, ...rest } = value as { readonly S?: unknown };
  return typeof S === 'string' && S !== '' && Object.keys(rest).length === 0 ? `S:${S}` : undefined;
}

/** Images are parsed when somebody asks for them: most records pass no filter, and filters look at keys. */
const recordOf = (row: Row): EngineRecord => {
  const newImage = parsedOnce(row.new_image);
  const oldImage = parsedOnce(row.old_image);
  return {
    eventName: row.event_name,
    texts: { keys: row.keys_json, newImage: row.new_image, oldImage: row.old_image },
    ...(row.user_identity !== null && { userIdentity: JSON.parse(row.user_identity) }),
    dynamodb: {
      ApproximateCreationDateTime: row.created_at,
      Keys: JSON.parse(row.keys_json),
      get NewImage() {
        return newImage();
      },
      get OldImage() {
        return oldImage();
      },
      SequenceNumber: row.sequence_number,
      StreamViewType: row.stream_view_type,
    },
  };
};

function parsedOnce(json: string | null): () => Image | undefined {
  let image: Image | undefined;
  return () => {
    if (json !== null) image ??= JSON.parse(json) as Image;
    return image;
  };
}

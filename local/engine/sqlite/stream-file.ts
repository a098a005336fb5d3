import { join } from 'node:path';
import type { EngineRecord, Image } from '../../event-source-mapping/stream-record.ts';
import { heldRecords } from './held-records.ts';

/** How another thread reads the stream of an engine. */
export interface StreamFile {
  readonly file: string;
  readonly held: SharedArrayBuffer;
}

export const databaseFile = (folder: string): string => join(folder, 'tables.sqlite');

export const streamFileOf = (folder: string, held: SharedArrayBuffer): StreamFile => ({
  file: databaseFile(folder),
  held,
});

export interface OpenStreamFile {
  /** Records after this number, or from the oldest on; only those on disk. */
  recordsOf(tableName: string, from: RecordsFrom): EngineRecord[];
  close(): void;
}

interface RecordsFrom {
  readonly after: string | undefined;
  readonly limit: number;
}

export interface RecordRow {
  readonly number: number;
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly keys: string;
  readonly new_image: string | null;
  readonly old_image: string | null;
  readonly second: number;
  readonly identity: string | null;
  /** The record's size as DynamoDB counts it; null in records of 1.3. */
  readonly bytes: number | null;
}

/** Selects a table's records after a number. */
export const selectRecords = `
  SELECT number, event, keys, new_image, old_image, second, identity, bytes
  FROM changes WHERE table_name = ? AND number > ? ORDER BY number LIMIT ?`;

/** Selects which images a table's records have. */
const selectView = `
  SELECT definition ->> '$.StreamSpecification.StreamViewType' AS view FROM tables WHERE name = ?`;

/** Opens the stream file. Polling the engine's API would copy each record several times. */
export function openStreamFile({ file, held }: StreamFile): OpenStreamFile {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  const hold = heldRecords(held);
  const records = database.prepare(selectRecords);
  const views = database.prepare(selectView);
  return {
    recordsOf: (tableName, { after = '0', limit }) => {
      // Rows of this query have these columns.
      const rows = records.all(tableName, Number(after), limit) as unknown as RecordRow[];
      // Read after the rows, because later records may have been committed meanwhile.
      const from = Number(hold.from) || Number.POSITIVE_INFINITY;
      const view = String(views.get(tableName)?.view);
      return rows.filter(({ number }) => number < from).map((row) => recordOf(row, view));
    },
    close: () => database.close(),
  };
}

/** A record whose images are parsed on demand: most records pass no filter, and filters read keys. */
const recordOf = (row: RecordRow, view: string): EngineRecord => {
  const newImage = parsedOnce(row.new_image);
  const oldImage = parsedOnce(row.old_image);
  return {
    eventName: row.event,
    texts: { keys: row.keys, newImage: row.new_image, oldImage: row.old_image },
    bytes: row.bytes,
    ...(row.identity !== null && { userIdentity: JSON.parse(row.identity) }),
    dynamodb: {
      ApproximateCreationDateTime: row.second,
      Keys: JSON.parse(row.keys),
      get NewImage() {
        return newImage();
      },
      get OldImage() {
        return oldImage();
      },
      SequenceNumber: String(row.number),
      StreamViewType: view,
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

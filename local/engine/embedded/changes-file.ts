import type { EngineRecord, Image } from '../../event-source-mapping/stream-record.ts';
import { heldRecords } from '../held-records.ts';

interface Row {
  readonly number: number;
  readonly event: EngineRecord['eventName'];
  readonly keys: string;
  readonly new_image: string | null;
  readonly old_image: string | null;
  readonly second: number;
  readonly identity: string | null;
}

/** The stream records of an embedded engine, for another thread; only what is on disk. */
export function openChanges(file: string, held: SharedArrayBuffer | undefined) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  const hold = held && heldRecords(held);
  const records = database.prepare(
    'SELECT * FROM changes WHERE table_name = ? AND number > ? ORDER BY number LIMIT ?',
  );
  return {
    /** Behind the one with this number, or from the oldest on. */
    recordsOf: (tableName: string, { after = '0', limit }: { after: string | undefined; limit: number }) => {
      const rows = records.all(tableName, Number(after), limit) as unknown as Row[];
      // Looked up afterwards: what wasn't held before may have been committed since.
      const from = Number(hold?.from ?? 0n) || Number.POSITIVE_INFINITY;
      return rows.filter(({ number }) => number < from).map(recordOf);
    },
    close: () => database.close(),
  };
}

/** Images are parsed when somebody asks for them: most records pass no filter, and filters look at keys. */
const recordOf = (row: Row): EngineRecord => {
  const newImage = parsedOnce(row.new_image);
  const oldImage = parsedOnce(row.old_image);
  return {
    eventName: row.event,
    texts: { keys: row.keys, newImage: row.new_image, oldImage: row.old_image },
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
      StreamViewType: 'NEW_AND_OLD_IMAGES',
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

import type { DatabaseSync } from 'node:sqlite';
import { Unsure } from './values.ts';

/** A change as the engine's file keeps it; images are JSON. */
interface Change {
  readonly table: string;
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly keys: string;
  readonly newImage: string | null;
  readonly oldImage: string | null;
}

/** Where a table's stream goes on. */
interface Place {
  number: number;
  readonly shard: string;
}

/** The records of one transaction. */
export interface StreamRecords {
  /** Number in the file of the first that was added, if one was. */
  readonly first: bigint | undefined;
  /** Throws Unsure, and adds nothing, if there is none yet to go on from: the first is the engine's. */
  add(change: Change): void;
}

export function streamRecords(database: DatabaseSync): () => StreamRecords {
  // In the terms of its index.
  const last = database.prepare(
    `SELECT CAST(sequence_number AS INTEGER) AS number, shard_id AS shard FROM _stream_records WHERE table_name = ?
     ORDER BY CAST(sequence_number AS INTEGER) DESC LIMIT 1`,
  );
  const insert = database.prepare(
    `INSERT INTO _stream_records
       (table_name, event_name, keys_json, new_image, old_image, sequence_number, shard_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return () => {
    const places = new Map<string, Place>();
    let first: bigint | undefined;
    const placeOf = (table: string): Place => {
      const place = places.get(table) ?? (last.get(table) as Place | undefined);
      if (!place) throw new Unsure('a stream without records');
      places.set(table, place);
      return place;
    };
    return {
      get first() {
        return first;
      },
      add: ({ table, event, keys, newImage, oldImage }) => {
        const place = placeOf(table);
        place.number += 1;
        const second = Math.floor(Date.now() / 1000);
        const { lastInsertRowid } = insert.run(
          ...[table, event, keys, newImage, oldImage, String(place.number), place.shard, second],
        );
        first ??= BigInt(lastInsertRowid);
      },
    };
  };
}

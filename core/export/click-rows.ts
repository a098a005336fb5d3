import type { ClickRecord } from '../figures/click.ts';
import { eachField } from '../figures/splits.ts';
import { shardName } from '../figures/watermarks.ts';

/**
 * The columns of an exported click, in their order, with their types in Glue. Nothing in them leads to a person: no
 * address, no user agent, no visitor.
 */
export const clickColumns = {
  clicked_at: { type: 'timestamp', comment: 'When the visitor clicked, UTC' },
  project: { type: 'string', comment: 'The project of the link' },
  code: { type: 'string', comment: 'The code of the link' },
  clicks: { type: 'int', comment: 'How many clicks the row stands for: 1' },
  is_unique: { type: 'boolean', comment: 'Whether it was the first click of its visitor on the link' },
  ...eachField(({ says }) => ({ type: 'string', comment: says })),
  shard: { type: 'string', comment: 'With position: the same in every delivery of a click' },
  position: { type: 'string', comment: 'With shard: the same in every delivery of a click' },
} as const;

type ClickRow = Readonly<Record<keyof typeof clickColumns, string | number | boolean>>;

/** Clicks of one shard of a stream. */
export interface CountedClicks {
  /** Names the shard and the life of the stream that it belongs to. */
  readonly shard: string;
  /** In the shard's order. */
  readonly records: readonly ClickRecord[];
}

/** Rows that are put as one record. */
export interface Pack {
  /** A short name of the shard. */
  readonly shard: string;
  /** JSON documents, one after the other. */
  readonly data: string;
  readonly records: readonly ClickRecord[];
}

/** Firehose takes records of up to 1,000 KiB. */
const packBytes = 900_000;

/**
 * Many rows in one record: Firehose bills records in steps of 5 KB, and a row takes some 270 bytes. App opens
 * aren't clicks and have no rows.
 */
export const packsOf = ({ shard, records }: CountedClicks): Pack[] => {
  const name = shardName(shard);
  const packs: { shard: string; data: string; bytes: number; records: ClickRecord[] }[] = [];
  for (const record of records.filter(({ clicks }) => clicks > 0)) {
    const row = `${JSON.stringify(rowOf(record, name))}\n`;
    const bytes = Buffer.byteLength(row);
    const last = packs.at(-1);
    if (!last || last.bytes + bytes > packBytes)
      packs.push({ shard: name, data: row, bytes, records: [record] });
    else {
      last.data += row;
      last.bytes += bytes;
      last.records.push(record);
    }
  }
  return packs;
};

const rowOf = (record: ClickRecord, shard: string): ClickRow => {
  const { project, code, clicks, position } = record;
  return {
    clicked_at: new Date(record.at * 1000).toISOString().replace('.000Z', 'Z'),
    project,
    code,
    clicks,
    is_unique: record.unique,
    ...eachField(({ field }) => record[field]),
    shard,
    position,
  };
};

import type { ShardRecords } from '../analytics/analytics-items.ts';
import type { ClickRecord } from '../analytics/click-record.ts';
import { dimensionTexts } from '../analytics/dimension-texts.ts';
import { eachField } from '../analytics/dimensions.ts';
import { shardName } from '../analytics/watermarks.ts';

/**
 * The columns of an exported click, in order, with their types in Glue. None identifies a person: they have no address,
 * user agent or visitor.
 */
export const clickColumns = {
  clicked_at: { type: 'timestamp', comment: 'When the visitor clicked, UTC' },
  project: { type: 'string', comment: 'The project of the link' },
  code: { type: 'string', comment: 'The code of the link' },
  clicks: { type: 'int', comment: 'How many clicks the row stands for: 1' },
  is_unique: { type: 'boolean', comment: 'Whether it was the first click of its visitor on the link' },
  ...eachField((_, name) => ({ type: 'string', comment: dimensionTexts[name].says })),
  shard: { type: 'string', comment: 'With position: the same in every delivery of a click' },
  position: { type: 'string', comment: 'With shard: the same in every delivery of a click' },
} as const;

type ClickRow = Readonly<Record<keyof typeof clickColumns, string | number | boolean>>;

/** Rows that form one record. */
export interface Pack {
  /** Name of the file for rows that the export doesn't take. */
  readonly name: string;
  /** JSON documents, one per line. */
  data: string;
  bytes: number;
  rows: number;
}

/** The largest record, in bytes; Firehose accepts 1,000 KiB. */
const packBytes = 900_000;

/**
 * Packs many rows in a record, because Firehose bills records in steps of 5 KB, and a row takes about 310 bytes. App
 * opens aren't clicks and have no rows.
 */
export const packsOf = ({ shard, records }: ShardRecords): Pack[] => {
  const packs: Pack[] = [];
  for (const record of records.filter(({ clicks }) => clicks > 0)) {
    const row = `${JSON.stringify(rowOf(record, shardName(shard)))}\n`;
    const bytes = Buffer.byteLength(row);
    let pack = packs.at(-1);
    if (!pack || pack.bytes + bytes > packBytes) {
      pack = { name: `rows/${shardName(shard)}/${record.position}.ndjson`, data: '', bytes: 0, rows: 0 };
      packs.push(pack);
    }
    pack.data += row;
    pack.bytes += bytes;
    pack.rows += 1;
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

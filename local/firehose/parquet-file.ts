import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';
import type { DeliveryStream } from '../assembly/assembly.ts';

export interface ParquetFile {
  readonly folder: string;
  readonly stream: DeliveryStream;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly now: Date;
}

interface ColumnType {
  readonly type: BasicType;
  readonly convert: (value: unknown) => unknown;
}

/** Glue types with their conversions. */
const types: Readonly<Record<string, ColumnType>> = {
  string: { type: 'STRING', convert: String },
  int: { type: 'INT32', convert: Number },
  bigint: { type: 'INT64', convert: (value) => BigInt(String(value)) },
  double: { type: 'DOUBLE', convert: Number },
  boolean: { type: 'BOOLEAN', convert: (value) => value === true || value === 'true' },
  timestamp: { type: 'TIMESTAMP', convert: (value) => new Date(String(value)) },
};

/** Writes rows as one file, which appears as a whole. Drops values without a column. */
export async function writeParquet({ folder, stream, rows, now }: ParquetFile): Promise<void> {
  const columnData = stream.columns.map(({ name, type }) => {
    const known = types[type];
    if (!known) throw new Error(`${stream.id}: the local stack writes no column of type ${type} (${name})`);
    const data = rows.map((row) => (row[name] == null ? null : known.convert(row[name])));
    return { name, type: known.type, data };
  });
  const file = join(folder, `${prefixAt(stream.prefix, now)}${stream.name}-${randomUUID()}.parquet`);
  const unfinished = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(unfinished, Buffer.from(parquetWriteBuffer({ columnData })));
  await rename(unfinished, file);
}

/** Expands `!{timestamp:…}` of a prefix: Java's patterns for years, months, days and hours. */
export function prefixAt(prefix: string, now: Date): string {
  const [year = '', month = '', day = '', hour = ''] = now.toISOString().split(/[-T:]/);
  const parts: Readonly<Record<string, string>> = { yyyy: year, MM: month, dd: day, HH: hour };
  return prefix.replaceAll(/!\{timestamp:([^}]*)\}/g, (_, pattern: string) =>
    pattern.replaceAll(/yyyy|MM|dd|HH/g, (part) => parts[part] ?? part).replaceAll("'", ''),
  );
}

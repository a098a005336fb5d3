import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';

export type ExportedRow = Readonly<Record<string, unknown>>;

/** All rows of the Parquet files below a folder, unordered, each with the day of its folder. */
export const readParquetRows = async (folder: string): Promise<ExportedRow[]> => {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.parquet'));
  const rows = await Promise.all(
    files.map(async (name) => {
      const day = /day=([^/]+)/.exec(name)?.[1];
      const file = await asyncBufferFromFile(path.join(folder, name));
      return (await parquetReadObjects({ file })).map((row) => ({ ...row, day }));
    }),
  );
  return rows.flat();
};

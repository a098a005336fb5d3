import type { Hosts, Source } from './row.ts';
import { openBitly } from './sources/bitly.ts';
import { openFirebase } from './sources/firebase.ts';
import { openNdjson } from './sources/ndjson.ts';
import { openPlainCsv } from './sources/plain-csv.ts';
import type { TextFile } from './text-file.ts';

const formats = { ndjson: openNdjson, csv: openPlainCsv, firebase: openFirebase, bitly: openBitly } as const;

export type ImportFormat = keyof typeof formats;

/** Makes a file of links a source. Without a format, `name` decides. Throws OperatorError if it is no such file. */
export const openSource = async (
  file: TextFile,
  { format, name }: { readonly format: ImportFormat | undefined; readonly name: string },
  hosts: Hosts,
): Promise<Source> => formats[format ?? (/\.csv$/i.test(name) ? 'csv' : 'ndjson')](file, hosts);

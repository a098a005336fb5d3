import type { RowHosts, Source } from './row.ts';
import { openFirebase } from './sources/firebase.ts';
import { openNdjson } from './sources/ndjson.ts';
import { openBitly, openCsv } from './sources/plain-csv.ts';
import { beginOf, type TextFile } from './text-file.ts';

export const importFormats = ['ndjson', 'csv', 'firebase', 'bitly'] as const;
export type ImportFormat = (typeof importFormats)[number];

const formats: Readonly<Record<ImportFormat, (file: TextFile, hosts: RowHosts) => Promise<Source>>> = {
  ndjson: openNdjson,
  csv: openCsv,
  firebase: openFirebase,
  bitly: openBitly,
};

/**
 * Opens a file of links as a source. Without a format, the file decides: JSON begins with a brace or a bracket, and a
 * CSV's header shows its service. Throws OperatorError if it is no such file.
 */
export const openSource = async (
  file: TextFile,
  { format, name }: { readonly format: ImportFormat | undefined; readonly name: string },
  hosts: RowHosts,
): Promise<Source> => formats[format ?? (await formatOf(file, name))](file, hosts);

/** The format of a file. One named as JSON is JSON, even if its first line is broken. */
const formatOf = async (file: TextFile, name: string): Promise<ImportFormat> => {
  if (/\.(ndjson|jsonl|json)$/i.test(name)) return 'ndjson';
  return /^[{[]/.test((await beginOf(file)).line) ? 'ndjson' : 'csv';
};

import { stat } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import type { Hosts, Source } from './row.ts';
import { openBitly } from './sources/bitly.ts';
import { openFirebase } from './sources/firebase.ts';
import { openNdjson } from './sources/ndjson.ts';
import { openPlainCsv } from './sources/plain-csv.ts';

const formats = { ndjson: openNdjson, csv: openPlainCsv, firebase: openFirebase, bitly: openBitly } as const;

export type ImportFormat = keyof typeof formats;

/** Opens a file of links. Without a format, its name decides. Throws OperatorError if it can't be read. */
export const openSource = async (
  file: string,
  format: ImportFormat | undefined,
  hosts: Hosts,
): Promise<Source> => {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError(`The file ${file} can't be read`);
  const named = /\.csv$/i.test(file) ? 'csv' : 'ndjson';
  return formats[format ?? named](file, hosts);
};

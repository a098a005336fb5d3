import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

/** A record of a CSV file: its cells, and the line where it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the record can't be read. */
  readonly fault?: string;
}

/** The records of a file in UTF-8, by RFC 4180 and a little more leniently. A record that is broken has a fault. */
export async function* readCsv(file: string): AsyncGenerator<CsvRecord> {
  const skipped: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      skipped.push({ line: Number(error?.lines ?? 0), cells: [], fault: error?.message ?? 'unreadable' });
      return undefined;
    },
  });
  const stream = createReadStream(file);
  stream.on('error', (error) => parser.destroy(error));
  stream.pipe(parser);
  let next = 1;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    yield* skipped.splice(0);
    yield { line: next, cells: record };
    next = info.lines + 1;
  }
  yield* skipped;
}

/** Spreadsheets take cells that begin so for formulas, or hide the sign. */
const risky = /^[=+\-@']/;

/** A cell as it is written. */
const writeCell = (value: string): string => {
  const text = risky.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A cell as it was meant. */
export const readCell = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

export const writeRecord = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** Names of columns without what differs between the programs that write them. */
export const plainName = (name: string): string => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');

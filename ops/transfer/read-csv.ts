import { type CsvError, type Options, parse } from 'csv-parse';
import { parse as parseWhole } from 'csv-parse/sync';
import type { ImportWarning } from './row.ts';

/** A record of a CSV file: its cells, and the line where it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the record can't be read as intended. */
  readonly fault?: ImportWarning;
}

interface Layout {
  /** One ASCII character. */
  readonly separator: string;
  /** Records before the first one. */
  readonly skipped: number;
}

/** The records of a text by RFC 4180, with any line breaks, without empty lines. `layoutOf` reads its beginning. */
export async function* readCsv(
  text: AsyncIterable<string>,
  layoutOf = (_: string): Layout => ({ separator: ',', skipped: 0 }),
): AsyncGenerator<CsvRecord> {
  let reader: ReturnType<typeof readerOf> | undefined;
  for await (const portion of text) {
    reader ??= readerOf(layoutOf(portion));
    yield* await reader.read(portion);
  }
  yield* (await reader?.end()) ?? [];
}

/** The layout of a file with a header: a first line `sep=X` names the separator, otherwise the header shows it. */
export const tableLayout = (begin: string): Layout => {
  const [first = ''] = begin.trimStart().split(/[\r\n]/, 1);
  const stated = /^"?sep=([\t !#-~])"?$/i.exec(first)?.[1];
  const countOf = (separator: string) => first.split(separator).length;
  const isSemicolon = countOf(',') + countOf('\t') === 2 && first.includes(';');
  const separator = stated ?? (isSemicolon ? ';' : countOf('\t') > countOf(',') ? '\t' : ',');
  return { separator, skipped: stated === undefined ? 0 : 1 };
};

/** The parser's result with the option `raw`, which its types leave out. */
interface RawRecord {
  readonly record: readonly string[];
  readonly raw: string;
}

/** Feeds portions of a text to the parser, and returns the records that they complete. */
const readerOf = ({ separator, skipped }: Layout) => {
  const options = {
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Strictly, the parser would look for the end of a cell with a wrong quote in later rows.
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  } satisfies Options;
  let found: CsvRecord[] = [];
  let [line, emptyLines] = [1, 0];
  // The parser counts a `\r\n` inside quotes as two lines.
  const add = (cells: readonly string[], faultOf: (line: number) => ImportWarning | undefined) => {
    line += parser.info.empty_lines - emptyLines;
    emptyLines = parser.info.empty_lines;
    const fault = faultOf(line);
    if (skipped-- <= 0) found.push({ line, cells: cells.map(shownText), ...(fault && { fault }) });
    line += 1 + breaksIn(cells);
  };
  const parser = parse({
    ...options,
    raw: true,
    on_record: (one: unknown) => {
      const { record, raw } = one as RawRecord;
      const place = record.some((cell) => cell.startsWith('"')) ? strayQuote(raw, options) : undefined;
      add(record, (begin) => (place === undefined ? undefined : strayFault(record, place, begin)));
      return null;
    },
    // Only at the end, for a quote that isn't closed.
    on_skip: (_, raw) => {
      const [cells = []] = parseWhole(`${raw}"`, options);
      const before = cells.slice(0, -1);
      add([...before, ''], (begin) => openFault(begin + breaksIn(before)));
    },
  });
  const taken = (write: (done: () => void) => unknown): Promise<CsvRecord[]> =>
    new Promise((resolve) =>
      write(() => {
        resolve(found);
        found = [];
      }),
    );
  return {
    read: (portion: string) => taken((done) => parser.write(portion, done)),
    end: () => taken((done) => parser.end(done)),
  };
};

/** The text of a cell such as `="0456"`, which spreadsheets keep as text. */
const shownText = (cell: string): string => {
  const text = /^="(.*)"$/s.exec(cell)?.[1];
  return text === undefined ? cell : text.replaceAll('""', '"');
};

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);

const openFault = (line: number): ImportWarning => {
  const rest = "isn't closed, so the rest of the file was not read";
  return { reason: `a quote ${rest}`, detail: `the quote in line ${line} ${rest}` };
};

/** The first cell of a record in which text follows a closing quote, by a strict reading. */
const strayQuote = (raw: string, options: Options): number | undefined => {
  let place: number | undefined;
  const on_skip = (error?: CsvError): undefined => {
    if (error?.code === 'CSV_INVALID_CLOSING_QUOTE') place ??= Number(error.column);
  };
  parseWhole(raw, { ...options, relax_quotes: false, on_skip });
  return place;
};

const strayFault = (cells: readonly string[], place: number, begin: number): ImportWarning => {
  const first = begin + breaksIn(cells.slice(0, place));
  const last = first + breaksIn(cells.slice(place, place + 1));
  const lines = last === first ? '' : `, up to line ${last},`;
  return {
    reason: 'a quote begins a cell in which a quote is not doubled',
    detail: `the quote in line ${first} begins a cell${lines} in which a quote is not doubled`,
  };
};

import { readCell } from '../../../core/base/csv-cells.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { type CsvRecord, readCsv, tableLayout } from '../read-csv.ts';
import { isVisitLimit } from '../restrictions.ts';
import type { ImportWarning, Lost } from '../row.ts';
import { plainHost } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { plainName } from '../trimmed.ts';
import { shownColumn } from '../unknown-columns.ts';
import { isNo } from '../unset-cells.ts';

/** A record by its columns' names. */
export interface TableRow {
  readonly line: number;
  /** The value of a column; empty if there is none. */
  readonly cell: (name: string) => string;
  /** Values in other columns than these, except analytics and the row's own host. */
  readonly left: (read: ReadonlySet<string>, hosts: readonly string[]) => Lost[];
  readonly fault?: ImportWarning | undefined;
}

/**
 * A CSV file with a header: its columns in order, in the form of `plainName`, and its rows, from the first one at each
 * call. If `marked`, cells have the marks of our own export (`readCell`); other programs' beginnings of cells are kept.
 * Throws OperatorError if it is empty; its rows throw if a column that is read exists twice.
 */
export const openCsvTable = async (file: TextFile, { marked }: { readonly marked: boolean }) => {
  const { title } = file;
  const header = await headerRecord(file);
  if (!header) throw new OperatorError(`${title} is empty`);
  const { cells, fault } = header;
  if (fault) throw new OperatorError(`${title} has no readable header row: ${fault.detail ?? fault.reason}`);
  const names = cells.map(plainName);
  const twins = new Map([...Map.groupBy(names, (name) => name)].filter(([, alike]) => alike.length > 1));
  const meant = (name: string, cell: string): string => {
    if (twins.has(name))
      throw new OperatorError(
        `${title} has two columns '${shownColumn(name)}': remove or rename one of them`,
      );
    return marked ? readCell(cell) : cell;
  };
  return { names, rows: () => rowsOf(file, names, meant) };
};

/** The first record of a file; undefined if it is empty. */
export const headerRecord = async (file: TextFile): Promise<CsvRecord | undefined> => {
  const text = file.text();
  const { value } = await readCsv(text, tableLayout).next();
  // Reads to the end, because abandoning a stream closes the file.
  for await (const portion of text) void portion;
  return value ?? undefined;
};

async function* rowsOf(
  file: TextFile,
  names: readonly string[],
  meant: (name: string, cell: string) => string,
): AsyncGenerator<TableRow> {
  const records = readCsv(file.text(), tableLayout);
  await records.next();
  const places = new Map(names.map((name, place) => [name, place]));
  const width = names.findLastIndex((name) => name !== '') + 1;
  for await (const { line, cells, fault } of records) {
    const isCut = cells.slice(width).some((cell) => cell.trim() !== '');
    yield {
      line,
      cell: (name) => meant(name, cells[places.get(name) ?? -1] ?? ''),
      left: (read, hosts) =>
        cells.slice(0, width).flatMap((cell, place) => {
          const name = names[place] ?? '';
          const isAnalytics = analytics.test(name) && !isVisitLimit(name);
          const isLoss =
            name !== '' && !read.has(name) && !isAnalytics && !isNo(cell) && cell.trim() !== '[]';
          return isLoss && !hosts.includes(plainHost(cell))
            ? [{ field: shownColumn(name), value: cell }]
            : [];
        }),
      fault: fault ?? (isCut ? tooManyCells : undefined),
    };
  }
}

const analytics = /click|visit|scan|engagement|\b(hits|leads|sales?)\b/;

const tooManyCells: ImportWarning = {
  reason:
    'the row has more cells than the header has columns: an address or a name with a comma needs quotes around it',
};

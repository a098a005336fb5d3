import { OperatorError } from '../../operator-error.ts';
import { type CsvRecord, plainName, readCell, readCsv } from '../csv.ts';

/** A record by the names of its columns. */
export interface TableRow {
  readonly line: number;
  /** The value of a column, empty where there is none. */
  readonly cell: (name: string) => string;
  readonly fault?: string | undefined;
}

export interface Table {
  /** Names of the columns as `plainName` makes them, in their order. */
  readonly names: readonly string[];
  readonly rows: AsyncIterable<TableRow>;
}

/** What programs' CSV may begin each cell with is kept; only our own export marks cells. */
interface Reading {
  readonly marked: boolean;
}

/** A CSV file with a header. Throws OperatorError if it is empty. */
export const openTable = async (file: string, { marked }: Reading): Promise<Table> => {
  const records = readCsv(file);
  const header = await records.next();
  if (header.done) throw new OperatorError(`The file ${file} is empty`);
  const names = header.value.cells.map(plainName);
  return { names, rows: rowsOf(records, names, marked ? readCell : (cell) => cell) };
};

async function* rowsOf(
  records: AsyncGenerator<CsvRecord>,
  names: readonly string[],
  meant: (cell: string) => string,
): AsyncGenerator<TableRow> {
  const places = new Map(names.map((name, place) => [name, place]));
  for await (const { line, cells, fault } of records) {
    yield { line, cell: (name) => meant(cells[places.get(name) ?? -1] ?? ''), fault };
  }
}

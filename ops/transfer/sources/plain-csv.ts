import { OperatorError } from '../../operator-error.ts';
import { columns, moreColumns } from '../columns.ts';
import { plainName } from '../csv.ts';
import { type Source, type SourceRow, setAt } from '../row.ts';
import type { TextFile } from '../text-file.ts';
import { ignoredColumns } from '../unknown-columns.ts';
import { openTable, type TableRow } from './table.ts';

const known = [...columns, ...moreColumns];

/** CSV with our own columns, in any order and case; `code` and `link` must be there. */
export const openPlainCsv = async (file: TextFile): Promise<Source> => {
  const { names, rows } = await openTable(file, { marked: true });
  for (const name of ['code', 'link']) {
    if (!names.includes(name)) throw new OperatorError(`${file.title} has no column '${name}'${hint(names)}`);
  }
  const note = ignoredColumns(
    names,
    known.map(({ name }) => name),
  );
  const held = new Set(known.filter(({ name }) => names.includes(plainName(name))).map(({ field }) => field));
  return { note, rows: rowsOf(rows), holds: (field) => held.has(field), isFlat: true, isLenient: false };
};

const hint = (names: readonly string[]): string => {
  if (names.includes('short_link')) return "; it looks like Firebase's export: try --format firebase";
  if (names.includes('long_url') || names.includes('long url')) return "; is it Bitly's? Try --format bitly";
  if (names.length === 1 && names[0]?.includes(';'))
    return '; it has semicolons between its cells: save it with commas';
  return '';
};

async function* rowsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<SourceRow> {
  for await (const { line, cell, fault } of rows) {
    const link: Record<string, unknown> = {};
    for (const { name, field } of known) if (field) setAt(link, field, cell(plainName(name)));
    yield { line, code: cell('code'), link, ...(fault && { fault }) };
  }
}

import { OperatorError } from '../../operator-error.ts';
import { columns, moreColumns } from '../columns.ts';
import { plainName, readCsv } from '../csv.ts';
import { columnsIn, isShortUrlColumn, readAs } from '../other-names.ts';
import { type Hosts, type Source, type SourceRow, setAt } from '../row.ts';
import { readShortUrl, shortUrlFault } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { ignoredColumns } from '../unknown-columns.ts';
import { isBitly, openBitly } from './bitly.ts';
import { isFirebase, openFirebase } from './firebase.ts';
import { openTable, type TableRow } from './table.ts';

const known = [...columns, ...moreColumns];

/** A CSV file of a service whose columns its header shows, or with our own columns. */
export const openCsv = async (file: TextFile, hosts: Hosts): Promise<Source> => {
  const names = await headerOf(file);
  if (!names.includes('code')) {
    if (isFirebase(names)) return { ...(await openFirebase(file, hosts)), note: "Read as Firebase's export" };
    if (isBitly(names)) {
      const source = await openBitly(file, hosts);
      return { ...source, note: said("Read as Bitly's CSV", source.note) };
    }
  }
  return openPlainCsv(file, names);
};

const headerOf = async (file: TextFile): Promise<string[]> => {
  const text = file.text();
  const { value } = await readCsv(text).next();
  // To its end, because a stream that is left in the middle takes the open file along.
  for await (const portion of text) void portion;
  return value?.cells.map(plainName) ?? [];
};

/**
 * CSV with our own columns, in any order and case, or with what other services call them; `code` and `link` must be
 * there.
 */
const openPlainCsv = async (file: TextFile, header: readonly string[]): Promise<Source> => {
  const found = columnsIn(file.title, header);
  const others = readAs(found);
  // Only our own export marks cells.
  const { names, rows } = await openTable(file, { marked: others === undefined });
  for (const name of ['code', 'link']) {
    if (!found.has(name)) throw new OperatorError(`${file.title} has no column '${name}'${hint(names)}`);
  }
  const read = new Set(found.values());
  const ignored = ignoredColumns(
    names.filter((name) => !read.has(name)),
    known.map(({ name }) => name),
  );
  const held = new Set(known.filter(({ name }) => found.has(name)).map(({ field }) => field));
  return {
    note: said(others, ignored),
    rows: rowsOf(rows, found),
    holds: (field) => held.has(field),
    isFlat: true,
    isLenient: others !== undefined,
  };
};

const said = (...notes: readonly (string | undefined)[]): string | undefined =>
  notes.filter((one) => one !== undefined).join('. ') || undefined;

const hint = (names: readonly string[]): string =>
  names.length === 1 && names[0]?.includes(';')
    ? '; it has semicolons between its cells: save it with commas'
    : '';

async function* rowsOf(
  rows: AsyncIterable<TableRow>,
  found: ReadonlyMap<string, string>,
): AsyncGenerator<SourceRow> {
  const isShortUrl = isShortUrlColumn(found.get('code'));
  for await (const { line, cell: named, fault } of rows) {
    const cell = (name: string): string => {
      const column = found.get(name);
      return column === undefined ? '' : named(column);
    };
    const link: Record<string, unknown> = {};
    for (const { name, field, isList } of known) {
      const text = cell(name);
      if (field) setAt(link, field, isList ? text.split(/[\s,|]+/).filter(Boolean) : text);
    }
    const url = isShortUrl ? readShortUrl(cell('code')) : undefined;
    const wrong = fault ?? (isShortUrl ? shortUrlFault(url) : undefined);
    yield { line, code: url?.code ?? cell('code'), link, ...(wrong !== undefined && { fault: wrong }) };
  }
}

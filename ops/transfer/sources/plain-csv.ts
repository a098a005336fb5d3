import { OperatorError } from '../../operator-error.ts';
import { columns, moreColumns } from '../columns.ts';
import { plainName } from '../csv.ts';
import { type Columns, columnsIn, readAs } from '../other-names.ts';
import { type Hosts, type Source, type SourceRow, setAt } from '../row.ts';
import { readShortUrl, shortUrlFault } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { ignoredColumns } from '../unknown-columns.ts';
import { isBitly, openBitly } from './bitly.ts';
import { isFirebase, openFirebase } from './firebase.ts';
import { headerOf, openTable, type TableRow } from './table.ts';

const known = [...columns, ...moreColumns];

/** A CSV file of a service whose columns its header shows, or with our own columns. */
export const openCsv = async (file: TextFile, hosts: Hosts): Promise<Source> => {
  const header = await headerOf(file);
  const names = header?.cells.map(plainName) ?? [];
  if (!names.includes('code')) {
    if (isFirebase(names)) return { ...(await openFirebase(file, hosts)), note: "Read as Firebase's export" };
    if (isBitly(names)) {
      const source = await openBitly(file, hosts);
      return { ...source, note: said("Read as Bitly's CSV", source.note) };
    }
  }
  return openPlainCsv(file, names);
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
    if (!found.ours.has(name)) throw new OperatorError(`${file.title} has no column '${name}'${hint(names)}`);
  }
  const read = new Set([...found.shortUrls, ...[...found.ours.values()].flat()]);
  const ignored = ignoredColumns(
    names.filter((name) => !read.has(name)),
    known.map(({ name }) => name),
  );
  const held = new Set(known.filter(({ name }) => found.ours.has(name)).map(({ field }) => field));
  return {
    note: said(others, ignored),
    rows: () => rowsOf(rows(), found),
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
  { ours, shortUrls }: Columns,
): AsyncGenerator<SourceRow> {
  for await (const { line, cell: named, fault } of rows) {
    const cell = (name: string): string =>
      ours
        .get(name)
        ?.map(named)
        .find((text) => text !== '') ?? '';
    const link: Record<string, unknown> = {};
    for (const { name, field, isList } of known) {
      const text = cell(name);
      if (field) setAt(link, field, isList ? text.split(/[\s,|]+/).filter(Boolean) : text);
    }
    const urls = shortUrls.flatMap((name) => readShortUrl(named(name)) ?? []);
    const { code, wrong } = codeIn(named, ours.get('code') ?? [], shortUrls);
    const reason = fault ?? wrong;
    yield {
      line,
      code,
      link,
      shortHosts: urls.map(({ host }) => host),
      ...(reason !== undefined && { fault: reason }),
    };
  }
}

/** The code alone, or as the last part of a short URL. */
const codeIn = (
  cell: TableRow['cell'],
  names: readonly string[],
  shortUrls: readonly string[],
): { readonly code: string; readonly wrong?: string | undefined } => {
  const name = names.find((one) => cell(one) !== '') ?? names[0] ?? '';
  if (!shortUrls.includes(name)) return { code: cell(name) };
  const url = readShortUrl(cell(name));
  return { code: url?.code ?? '', wrong: shortUrlFault(url) };
};

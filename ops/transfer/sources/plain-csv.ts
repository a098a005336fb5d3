import { codePattern } from '../../../core/links/link.ts';
import { columns, moreColumns } from '../../../core/links/link-columns.ts';
import { OperatorError } from '../../base/operator-error.ts';
import {
  bitly,
  type Columns,
  columnsIn,
  isBitly,
  isExport,
  readAs,
  type SourceService,
  serviceOf,
} from '../other-names.ts';
import { type Restrictions, restrictionsIn } from '../restrictions.ts';
import { type ImportWarning, type Lost, type RowHosts, type Source, type SourceRow, setAt } from '../row.ts';
import { type ForeignShortUrl, plainHost, readShortUrl, shortUrlFault } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { timeIn } from '../times.ts';
import { plainName, trimmed, visible } from '../trimmed.ts';
import { columnList, ignoredColumns } from '../unknown-columns.ts';
import { isNoTime, isUnset } from '../unset-cells.ts';
import { isFirebase, openFirebase } from './firebase.ts';
import { headerRecord, openCsvTable, type TableRow } from './table.ts';

const known = [...columns, ...moreColumns];

/** A CSV file of a service whose columns its header shows, or with our own columns. */
export const openCsv = async (file: TextFile, hosts: RowHosts): Promise<Source> => {
  const names = await namesIn(file);
  if (!names.includes('code') && isFirebase(names)) {
    const source = await openFirebase(file);
    return { ...source, note: joined("Read as Firebase's export", source.note) };
  }
  return openColumns(file, names, hosts, serviceOf(names));
};

/** Bitly's CSV. */
export const openBitly = async (file: TextFile, hosts: RowHosts): Promise<Source> => {
  const names = await namesIn(file);
  if (!isBitly(names))
    throw new OperatorError(
      `${file.title} lacks a column: Bitly's has one of ${bitly.shortUrls.join(', ')}, and one of ${bitly.destinations.join(', ')}`,
    );
  return openColumns(file, names, hosts, bitly);
};

const namesIn = async (file: TextFile): Promise<string[]> =>
  (await headerRecord(file))?.cells.map(plainName) ?? [];

/** CSV with our own columns, in any order and case, or with other services' names; `code` and `link` are required. */
const openColumns = async (
  file: TextFile,
  names: readonly string[],
  hosts: RowHosts,
  service: SourceService | undefined,
): Promise<Source> => {
  const found = columnsIn(file.title, names, service);
  const others = service === bitly ? "Read as Bitly's CSV" : readAs(found);
  // Only our own export marks cells.
  const { rows } = await openCsvTable(file, { marked: others === undefined });
  for (const name of ['code', 'link']) {
    if (!found.ours.has(name))
      throw new OperatorError(`${file.title} has no column '${name}'; it has ${columnList(names)}`);
  }
  const restrictions = isExport(names) ? undefined : restrictionsIn(names, found.ours.get('expiresAt') ?? []);
  const read = new Set([
    ...found.shortUrls,
    ...[...found.ours.values()].flat(),
    ...(restrictions?.columns ?? []),
  ]);
  const ignored = ignoredColumns(
    names.filter((name) => !read.has(name)),
    known.map(({ name }) => name),
  );
  const held = new Set(known.filter(({ name }) => found.ours.has(name)).map(({ field }) => field));
  return {
    note: joined(others, ignored),
    rows: () => rowsOf(rows(), { ...found, lists: service?.lists ?? [], read, hosts, restrictions }),
    holds: (field) => held.has(field),
    isFlat: true,
    isLenient: others !== undefined,
    refusesElsewhere: restrictions && 'ifKnown',
  };
};

const joined = (...notes: readonly (string | undefined)[]): string | undefined =>
  notes.filter((one) => one !== undefined).join('. ') || undefined;

interface Reading extends Columns, Pick<SourceService, 'lists'> {
  /** Every known column. */
  readonly read: ReadonlySet<string>;
  readonly hosts: RowHosts;
  /** Restrictions; undefined for our own export, which is literal. */
  readonly restrictions: Restrictions | undefined;
}

async function* rowsOf(rows: AsyncIterable<TableRow>, reading: Reading): AsyncGenerator<SourceRow> {
  const now = Date.now();
  for await (const row of rows) {
    const { link, notes } = linkIn(row, reading);
    const { code, fault, shortHosts, lost } = codeIn(row, reading);
    yield {
      ...{ line: row.line, code, link, shortHosts, notes },
      lost: [...lost, ...row.left(reading.read, shortHosts)],
      fault: row.fault ?? fault ?? reading.restrictions?.faultOf(row.cell, now),
    };
  }
}

const linkIn = (row: TableRow, { ours, lists, restrictions }: Reading) => {
  const link: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const { name, field, isText, isList, isJson } of known) {
    if (!field) continue;
    const found = ours.get(name) ?? [];
    const isTime = times.has(name);
    const isEmpty = restrictions ? (isTime ? isNoTime : isUnset) : (text: string) => text === '';
    const kept = restrictions ? visible : (text: string) => text;
    const textOf = (one: string) => (isText ? kept : trimmed)(row.cell(one));
    // A destination that means nothing is a fault; other such settings are omitted.
    const column =
      found.find((one) => !isEmpty(textOf(one))) ?? (name === 'link' ? found.find(textOf) : undefined);
    if (column === undefined) continue;
    const text = textOf(column);
    if (!isList) {
      const value = isJson ? parsed(text) : text;
      setAt(link, field, restrictions && isTime ? timeIn(text, true) : value);
      continue;
    }
    const values = listIn(text, lists.includes(column)).filter((value) => !isEmpty(value));
    if (values.some((value) => /\s/.test(value))) notes.push("blanks in tags became '-'");
    setAt(
      link,
      field,
      values.map((value) => value.replaceAll(/\s+/g, '-')),
    );
  }
  return { link, notes };
};

/** A cell's JSON value; other text stays, and is refused later. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const times: ReadonlySet<string> = new Set(['createdAt', 'expiresAt']);

/** Values of a cell; blanks also separate them, unless values may contain blanks. */
const listIn = (text: string, mayHoldBlanks: boolean): string[] => {
  if (text.startsWith('[')) {
    try {
      return (JSON.parse(text) as readonly unknown[]).map(String).map(trimmed).filter(Boolean);
    } catch {
      // No JSON, so the brackets belong to the values.
    }
  }
  return text
    .split(mayHoldBlanks ? ',' : /[\s,|]+/)
    .map(trimmed)
    .filter(Boolean);
};

interface FoundCode extends Pick<SourceRow, 'code'> {
  readonly fault?: ImportWarning | undefined;
  readonly shortHosts: readonly string[];
  readonly lost: readonly Lost[];
}

/**
 * The code, or the last part of a short URL: preferably one on the named host, then on one of the project's. Further
 * ones of a list, or on the same host, are lost.
 */
const codeIn = ({ cell }: TableRow, { ours, shortUrls, lists, hosts, restrictions }: Reading): FoundCode => {
  const urls = shortUrls.flatMap((name) =>
    (lists.includes(name) ? listIn(trimmed(cell(name)), true) : [cell(name)]).flatMap((text) => {
      const url = readShortUrl(text);
      return url ? [{ ...url, name, text }] : [];
    }),
  );
  const domain = trimmed(restrictions && urls.length === 0 ? cell('domain') : '');
  const shortHosts = domain.includes('.') ? [plainHost(domain)] : urls.map(({ host }) => host);
  const name = ours.get('code')?.find((one) => trimmed(cell(one)) !== '');
  const isAlone = name !== undefined ? !shortUrls.includes(name) : shortUrls.length === 0;
  if (isAlone) return { code: name === undefined ? '' : trimmed(cell(name)), shortHosts, lost: [] };
  // Some rows have only the code in the column of short URLs.
  const bare = shortUrls.map((one) => trimmed(cell(one))).find((text) => codePattern.test(text));
  if (urls.length === 0 && bare !== undefined) return { code: bare, shortHosts, lost: [] };
  const chosen: ForeignShortUrl | undefined =
    urls.find(({ host }) => host === hosts.given) ??
    urls.find(({ host }) => hosts.own.includes(host)) ??
    // On a host that is not the named one it would take its code from a later row.
    (hosts.given === undefined ? undefined : urls.find(({ host }) => host === 'bit.ly')) ??
    urls[0];
  const lost = urls
    .filter((url) => url.code !== chosen?.code)
    .filter((url) => lists.includes(url.name) || url.host === chosen?.host)
    .map(({ name: field, text: value }) => ({ field, value }));
  return { code: chosen?.code ?? '', fault: shortUrlFault(chosen), shortHosts, lost };
};

import { OperatorError } from '../../operator-error.ts';
import { type Device, devices, type Hosts, type Source, type SourceRow } from '../row.ts';
import { readShortUrl, shortUrlFault } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { ignoredColumns } from '../unknown-columns.ts';
import { openTable, type TableRow } from './table.ts';

const shortNames = ['custom link', 'link', 'bitlink'];
const longNames = ['long_url', 'long url', 'destination url'];

/** Whether a header is Bitly's. */
export const isBitly = (names: readonly string[]): boolean =>
  [shortNames, longNames].every((some) => some.some((name) => names.includes(name)));

/** Bitly's CSV. Of two short links of a row the one on the named host counts, else one on a host of the project's. */
export const openBitly = async (file: TextFile, hosts: Hosts): Promise<Source> => {
  const { names, rows } = await openTable(file, { marked: false });
  const [short, long] = [shortNames, longNames].map((known) => known.filter((name) => names.includes(name)));
  if (!short?.length || !long?.length) {
    throw new OperatorError(
      `${file.title} lacks a column: Bitly's has one of ${shortNames.join(', ')}, and one of ${longNames.join(', ')}`,
    );
  }
  return {
    note: ignoredColumns(names, [...shortNames, ...longNames, 'title']),
    rows: () => rowsOf(rows(), { short, long, hosts }),
    holds: (field) => field === 'payload.link' || (field === 'name' && names.includes('title')),
    isFlat: true,
    isLenient: true,
  };
};

interface Reading {
  readonly short: readonly string[];
  readonly long: readonly string[];
  readonly hosts: Hosts;
}

async function* rowsOf(
  rows: AsyncIterable<TableRow>,
  { short, long, hosts }: Reading,
): AsyncGenerator<SourceRow> {
  for await (const { line, cell, fault } of rows) {
    const urls = short.map((name) => readShortUrl(cell(name))).filter((url) => url !== undefined);
    const chosen =
      urls.find(({ host }) => host === hosts.given) ??
      urls.find(({ host }) => hosts.own.includes(host)) ??
      urls[0];
    const destination = long.map(cell).find((value) => value !== '') ?? '';
    const name = cell('title').trim();
    const wrong = fault ?? shortUrlFault(chosen);
    yield {
      line,
      code: chosen?.code ?? '',
      shortHosts: urls.map(({ host }) => host),
      link: { payload: { link: destination }, ...(name !== '' && { name }) },
      led: Object.fromEntries(devices.map((device) => [device, destination])) as Record<Device, string>,
      ...(wrong !== undefined && { fault: wrong }),
    };
  }
}

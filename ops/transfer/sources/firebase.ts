import { textFields } from '../../../core/links/link-columns.ts';
import { OperatorError } from '../../base/operator-error.ts';
import { type Restrictions, restrictionsIn } from '../restrictions.ts';
import { type Device, type Lost, type Source, type SourceRow, setAt } from '../row.ts';
import { readShortUrl, shortUrlFault } from '../short-url.ts';
import type { TextFile } from '../text-file.ts';
import { trimmed, visible } from '../trimmed.ts';
import { ignoredColumns } from '../unknown-columns.ts';
import { isNoTime, isUnset } from '../unset-cells.ts';
import { openCsvTable, type TableRow } from './table.ts';

/** Google's columns in Google's order: the name in the file, the title in its documentation, and the field here. */
const known: readonly (readonly [name: string, title: string, field?: string])[] = [
  ['short_link', 'short link'],
  ['link', 'deep link', 'payload.link'],
  ['apn', 'android package name', 'payload.android.package'],
  ['afl', 'android fallback link', 'payload.android.store_fallback'],
  ['amv', 'android minimum package version code', 'payload.android.min_version'],
  ['ibi', 'ios bundle id', 'payload.ios.bundleId'],
  ['ifl', 'ios fallback link', 'payload.ios.app_store_fallback'],
  ['ius', 'ios custom scheme'],
  ['ipfl', 'ios ipad fallback link'],
  ['ipbi', 'ios ipad bundle id'],
  ['isi', 'ios app store id', 'payload.ios.app_store_id'],
  ['imv', 'ios minimum version', 'payload.ios.min_version'],
  ['efr', 'enable forced redirect?'],
  ['ofl', 'desktop fallback link', 'payload.desktop_fallback'],
  ['st', 'social title', 'payload.social.title'],
  ['sd', 'social description', 'payload.social.description'],
  ['si', 'social image link', 'payload.social.image'],
  ['utm_source', 'utm source', 'payload.campaign.utm_source'],
  ['utm_medium', 'utm medium', 'payload.campaign.utm_medium'],
  ['utm_campaign', 'utm campaign', 'payload.campaign.utm_campaign'],
  ['utm_term', 'utm term', 'payload.campaign.utm_term'],
  ['utm_content', 'utm content', 'payload.campaign.utm_content'],
  ['at', 'itunes connect at'],
  ['ct', 'itunes connect ct'],
  ['mt', 'itunes connect mt'],
  ['pt', 'itunes connect pt'],
  ['archived', 'archived?'],
  ['name', 'link name', 'name'],
  ['creation_timestamp', 'creation timestamp'],
];

/** Values without a counterpart here. A forced redirect is the default anyway. */
const placeless = ['ius', 'ipfl', 'ipbi', 'at', 'ct', 'mt', 'pt'];

/** Whether a header is that of Firebase's export. */
export const isFirebase = (names: readonly string[]): boolean =>
  (names.includes('short_link') && names.includes('link')) ||
  (names.includes('short link') && names.some((name) => name.startsWith('deep link')));

/** Firebase's export of dynamic links. Rows on a host that is neither the project's nor the named one are refused. */
export const openFirebase = async (file: TextFile): Promise<Source> => {
  const { names, rows } = await openCsvTable(file, { marked: false });
  const columns = columnsIn(names);
  for (const name of ['short_link', 'link']) {
    if (!columns.has(name))
      throw new OperatorError(`${file.title} has no column '${name}': is it Firebase's export?`);
  }
  const held = new Set(known.filter(([name]) => columns.has(name)).map(([, , field]) => field));
  const read = new Set(columns.values());
  return {
    note: ignoredColumns(
      names.filter((name) => !read.has(name)),
      known.map(([name]) => name),
    ),
    rows: () => rowsOf(rows(), columns, restrictionsIn(names, [])),
    holds: (field) => held.has(field),
    isFlat: true,
    isLenient: true,
    refusesElsewhere: 'always',
  };
};

/** The file's column for each of Google's. If no name matches, 29 columns are read in Google's order. */
const columnsIn = (names: readonly string[]): Map<string, string> => {
  const found = known.flatMap(([name, title]): [string, string][] => {
    const column = names.find((one) => one === name || one === title || one.includes(`(${name})`));
    return column === undefined ? [] : [[name, column]];
  });
  if (found.length > 0 || names.length !== known.length) return new Map(found);
  return new Map(known.map(([name], place) => [name, names[place] ?? '']));
};

async function* rowsOf(
  rows: AsyncIterable<TableRow>,
  columns: ReadonlyMap<string, string>,
  restrictions: Restrictions,
): AsyncGenerator<SourceRow> {
  const read = new Set([...columns.values(), ...restrictions.columns]);
  for await (const { line, cell: named, left, fault: broken } of rows) {
    const whole = (name: string) => {
      const text = named(columns.get(name) ?? '');
      const isNothing = name === 'creation_timestamp' ? isNoTime(text) : isUnset(text);
      return name !== 'short_link' && name !== 'link' && isNothing ? '' : visible(text);
    };
    const cell = (name: string) => trimmed(whole(name));
    const url = readShortUrl(cell('short_link'));
    const link: Record<string, unknown> = {};
    for (const [name, , field] of known)
      if (field) setAt(link, field, textFields.has(field) ? whole(name) : cell(name));
    const created = readTime(cell('creation_timestamp'));
    if (created) link.createdAt = created;
    const fault = broken ?? shortUrlFault(url) ?? restrictions.faultOf(named, Date.now());
    yield {
      line,
      code: url?.code ?? '',
      link,
      ...(url && { shortHosts: [url.host] }),
      lost: [...lostOf(cell, created), ...left(read, [])],
      notes: notesOf(cell),
      led: ledTo(cell),
      fault,
    };
  }
}

type Cell = (name: string) => string;

/** Values that can't be stored, and an unreadable time. */
const lostOf = (cell: Cell, created: string | undefined): Lost[] =>
  [...placeless, ...(created ? [] : ['creation_timestamp'])]
    .filter((name) => cell(name) !== '')
    .map((name) => ({ field: name, value: cell(name) }));

const notesOf = (cell: Cell): string[] =>
  /^(true|1|yes)$/i.test(cell('archived')) ? ['archived at Firebase, active here as it was there'] : [];

/** A time in ISO 8601, or in epoch seconds, milliseconds or microseconds; without a zone, it is UTC. */
const readTime = (text: string): string | undefined => {
  if (text === '') return undefined;
  const time = new Date(/^\d+$/.test(text) ? epochMs(Number(text)) : zoned(text));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

const epochMs = (count: number): number => {
  if (count < 1e11) return count * 1000;
  return count < 1e14 ? count : count / 1000;
};

const zoned = (text: string): string => (/(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);

/** Firebase's destinations for people without the app. */
const ledTo = (cell: Cell): Readonly<Record<Device, string>> => {
  const first = (...addresses: string[]) => addresses.find((address) => address !== '') ?? '';
  const play = cell('apn') && `https://play.google.com/store/apps/details?id=${cell('apn')}`;
  const appStore = cell('isi') && `https://apps.apple.com/app/id${cell('isi')}`;
  const link = cell('link');
  return {
    android: first(cell('afl'), play, link),
    iphone: first(cell('ifl'), appStore, link),
    ipad: first(cell('ipfl'), cell('ifl'), appStore, link),
    desktop: first(cell('ofl'), link),
  };
};

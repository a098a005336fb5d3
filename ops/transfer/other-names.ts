import { columns, moreColumns } from '../../core/links/link-columns.ts';
import { OperatorError } from '../base/operator-error.ts';
import { isExpiry } from './restrictions.ts';
import { plainName } from './trimmed.ts';
import { shownColumn } from './unknown-columns.ts';

/** Columns of short URLs, whose last part is the code if there is no column of codes. */
const shortUrlNames = [
  'short link',
  'shortlink',
  'short_link',
  'short url',
  'short_url',
  'shorturl',
  'bitlink',
];

/** Other services' names of our columns, in the form of `plainName`. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  code: [
    ...['alias', 'slug', 'slashtag', 'key', 'keyword', 'path', 'address', 'back-half', 'backhalf'],
    ...['short code', 'shortcode', 'short_code', 'custom slug', 'customslug'],
  ],
  link: [
    ...['url', 'long url', 'longurl', 'long_url', 'target', 'target url', 'destination', 'destination url'],
    ...[
      'original url',
      'originalurl',
      'original_url',
      'long link',
      'longlink',
      'long_link',
      'destination_url',
    ],
  ],
  name: ['title', 'link name', '$marketing_title'],
  createdAt: [
    ...['created at', 'created_at', 'created', 'date created', 'datecreated', 'date_created'],
    ...['creation date', 'timestamp'],
  ],
  tags: ['labels', 'tag'],
  desktopFallback: ['$desktop_url'],
  androidStoreFallback: ['$android_url', 'android', 'android url', 'androidurl'],
  iosAppStoreFallback: ['$ios_url', 'ios', 'ios url', 'iphone url', 'iphoneurl'],
  socialTitle: ['$og_title', 'og title'],
  socialDescription: ['$og_description', 'og description'],
  socialImage: ['$og_image_url', 'og image'],
  utmSource: ['utm_source', 'utm source', '~channel'],
  utmMedium: ['utm_medium', 'utm medium', '~feature'],
  utmCampaign: ['utm_campaign', 'utm campaign', '~campaign'],
  utmTerm: ['utm_term', 'utm term'],
  utmContent: ['utm_content', 'utm content'],
};

/** A service whose columns mean something else in other services' files. */
export interface SourceService {
  /** Columns of short URLs, the best first. */
  readonly shortUrls: readonly string[];
  /** Columns of destinations; the first non-empty one counts. */
  readonly destinations: readonly string[];
  /** Columns with several values in a cell, separated by commas or as a JSON list. */
  readonly lists: readonly string[];
}

export const bitly: SourceService = {
  shortUrls: ['custom link', 'custom_bitlinks', 'link', 'bitlink'],
  destinations: ['long_url', 'long url', 'destination url', 'original url', 'original_url'],
  lists: ['custom_bitlinks', 'tags'],
};

const branch: SourceService = {
  shortUrls: ['url'],
  destinations: ['$fallback_url', '$canonical_url', '$desktop_url'],
  lists: [],
};

/** Whether a header is Bitly's. */
export const isBitly = (names: readonly string[]): boolean =>
  !names.includes('code') &&
  [bitly.shortUrls, bitly.destinations].every((some) => some.some((name) => names.includes(name)));

/** Whether a header has our own names of the required columns. */
const isOurs = (names: readonly string[]): boolean => names.includes('code') && names.includes('link');

/** The service of a header, if its files are read differently. */
export const serviceOf = (names: readonly string[]): SourceService | undefined => {
  if (isBitly(names)) return bitly;
  return !isOurs(names) && names.some((name) => /^[$~]/.test(name)) ? branch : undefined;
};

/** Whether a header is our own export's, so that its cells are literal. */
export const isExport = (names: readonly string[]): boolean =>
  isOurs(names) && names.includes('shorturl') && names.includes('createdat');

/** The columns of a file. */
export interface Columns {
  /** The file's columns by our names; the first non-empty one of a row counts. */
  readonly ours: ReadonlyMap<string, readonly string[]>;
  /** Columns with the links' short URLs. */
  readonly shortUrls: readonly string[];
}

/**
 * The file's columns for ours: our own name if present, else another service's. A file with our `code` and `link` has
 * only our names. Next to another name for the destination, `link` is the short URL, as for Dub and Kutt. Throws
 * OperatorError if two columns match the same one of ours.
 */
export const columnsIn = (
  title: string,
  names: readonly string[],
  service: SourceService | undefined,
): Columns => {
  const others = (name: string) => {
    if (!service && isOurs(names)) return [];
    const known = name === 'link' ? service?.destinations : undefined;
    if (name === 'expiresAt') return names.filter(isExpiry);
    return (known ?? otherNames[name] ?? []).filter((one) => names.includes(one));
  };
  const isLinkShort = others('link').length > 0;
  const shortUrls = [
    ...new Set([...(service?.shortUrls ?? []), ...(isLinkShort ? ['link'] : []), ...shortUrlNames]),
  ].filter((name) => names.includes(name));
  const columnsOf = (name: string): readonly string[] => {
    const isOwn = names.includes(plainName(name)) && !(name === 'link' && isLinkShort);
    if (isOwn) return [plainName(name)];
    const found = others(name);
    if (found.length > 1 && !(name === 'link' && service)) {
      const shown = found.map((one) => `'${shownColumn(one)}'`).join(' and ');
      throw new OperatorError(`${title} has ${shown}, which both match '${name}': rename one of them`);
    }
    return name === 'code' ? [...found, ...shortUrls] : found;
  };
  const ours = [...columns, ...moreColumns]
    .map(({ name }) => [name, columnsOf(name)] as const)
    .filter(([, found]) => found.length > 0);
  return { ours: new Map(ours), shortUrls };
};

/** A note on columns read by another name; undefined if none was. */
export const readAs = ({ ours }: Columns): string | undefined => {
  const others = [...ours].filter(([name, found]) => plainName(name) !== found[0]);
  if (others.length === 0) return undefined;
  const shown = (found: readonly string[]) => found.map((one) => `'${one}'`).join(' or ');
  return `Read ${others.map(([name, found]) => `${name} from ${shown(found)}`).join(', ')}`;
};

import { OperatorError } from '../base/operator-error.ts';
import { columns, moreColumns } from './columns.ts';
import { plainName } from './csv.ts';
import { isExpiry } from './restrictions.ts';
import { shownColumn } from './unknown-columns.ts';

/** Columns of short URLs, whose last part is the code where no column holds it alone. */
const shortUrlNames = ['short link', 'shortlink', 'short url', 'short_url', 'shorturl'];

/** What other services call our columns in their files, as `plainName` makes names. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  code: [
    ...['alias', 'slug', 'slashtag', 'key', 'keyword', 'path', 'address', 'back-half', 'backhalf'],
    ...['short code', 'shortcode', 'short_code', 'custom slug', 'customslug'],
  ],
  link: [
    ...['url', 'long url', 'longurl', 'long_url', 'target', 'target url', 'destination', 'destination url'],
    ...['original url', 'originalurl', 'original_url'],
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

/** A service whose files have columns that mean something else in files of others. */
export interface SourceService {
  /** Columns of short URLs, the best first. */
  readonly shortUrls: readonly string[];
  /** Columns of destinations; the first that has something counts. */
  readonly destinations: readonly string[];
  /** Columns with several values in a cell, with commas between or as a list in JSON. */
  readonly lists: readonly string[];
}

export const bitly: SourceService = {
  shortUrls: ['custom link', 'custom_bitlinks', 'link', 'bitlink'],
  destinations: ['long_url', 'long url', 'destination url'],
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

/** Whether a header has our own names for what every link has. */
const isOurs = (names: readonly string[]): boolean => names.includes('code') && names.includes('link');

/** The service whose file a header shows, if it needs a reading of its own. */
export const serviceOf = (names: readonly string[]): SourceService | undefined => {
  if (isBitly(names)) return bitly;
  return !isOurs(names) && names.some((name) => /^[$~]/.test(name)) ? branch : undefined;
};

/** Whether a header is that of our own export, so that its cells mean what they say. */
export const isExport = (names: readonly string[]): boolean =>
  isOurs(names) && names.includes('shorturl') && names.includes('createdat');

/** The columns of a file. */
export interface Columns {
  /** By our names; of several the first that has something in a row counts. */
  readonly ours: ReadonlyMap<string, readonly string[]>;
  /** Those that hold the short URLs of the links. */
  readonly shortUrls: readonly string[];
}

/**
 * The file's columns for ours: our own name if the file has it, else the one that another service gives it. A file
 * with our `code` and `link` has our names alone. Beside another name for the destination, `link` is the short URL:
 * Dub and Kutt call it so. Throws OperatorError if two columns may be the same one of ours.
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
      throw new OperatorError(`${title} has ${shown}, which both may be '${name}': rename one of them`);
    }
    return name === 'code' ? [...found, ...shortUrls] : found;
  };
  const ours = [...columns, ...moreColumns]
    .map(({ name }) => [name, columnsOf(name)] as const)
    .filter(([, found]) => found.length > 0);
  return { ours: new Map(ours), shortUrls };
};

/** Says which columns were read by another name; nothing if none was. */
export const readAs = ({ ours }: Columns): string | undefined => {
  const others = [...ours].filter(([name, found]) => plainName(name) !== found[0]);
  if (others.length === 0) return undefined;
  const shown = (found: readonly string[]) => found.map((one) => `'${one}'`).join(' or ');
  return `Read ${others.map(([name, found]) => `${name} from ${shown(found)}`).join(', ')}`;
};

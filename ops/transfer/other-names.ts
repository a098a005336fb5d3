import { OperatorError } from '../operator-error.ts';
import { columns, moreColumns } from './columns.ts';
import { plainName } from './csv.ts';
import { shownName } from './unknown-columns.ts';

/** Columns of short URLs, whose last part is the code where no column holds it alone. */
const shortUrlNames = ['short link', 'shortlink', 'short url', 'short_url'];

/** What other services call our columns in their files, as `plainName` makes names. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  code: [
    ...['alias', 'slug', 'slashtag', 'key', 'keyword', 'path', 'address', 'back-half', 'backhalf'],
    ...['short code', 'shortcode', 'short_code', 'custom slug', 'customslug'],
  ],
  link: [
    ...['url', 'long url', 'longurl', 'long_url', 'target', 'target url', 'destination', 'destination url'],
    ...['original url', 'originalurl', 'original_url', '$canonical_url', '$fallback_url'],
  ],
  name: ['title', 'link name', '$marketing_title'],
  createdAt: ['created at', 'created_at', 'created', 'date created', 'creation date', 'timestamp'],
  expiresAt: [
    'expires at',
    'expires_at',
    'expires',
    'expiry',
    'expiration date',
    'expire_in',
    'valid until',
    'validuntil',
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

/**
 * The file's column for each of ours: our own name if the file has it, else the one that another service gives it. A file
 * with our `code` and `link` has our names alone. Beside another name for the destination, `link` is the short URL:
 * Dub and Kutt call it so. Throws OperatorError if two columns may be the same one of ours.
 */
export const columnsIn = (title: string, names: readonly string[]): ReadonlyMap<string, string> => {
  const isOurs = names.includes('code') && names.includes('link');
  const others = (name: string) =>
    isOurs ? [] : (otherNames[name] ?? []).filter((one) => names.includes(one));
  const isLinkShort = others('link').length > 0;
  const shortUrls = isLinkShort ? ['link', ...shortUrlNames] : shortUrlNames;
  const candidates = (name: string): readonly string[] => {
    const isOwn = names.includes(plainName(name)) && !(name === 'link' && isLinkShort);
    if (isOwn) return [plainName(name)];
    const found = others(name);
    if (name !== 'code' || isOurs || found.length > 0) return found;
    return shortUrls.filter((one) => names.includes(one)).slice(0, 1);
  };
  return new Map(
    [...columns, ...moreColumns].flatMap(({ name }): [string, string][] => {
      const found = candidates(name);
      if (found.length > 1) {
        const shown = found.map((one) => `'${shownName(one)}'`).join(' and ');
        throw new OperatorError(`${title} has ${shown}, which both may be '${name}': rename one of them`);
      }
      return found.map((one) => [name, one]);
    }),
  );
};

/** Whether the column of the codes holds short URLs. */
export const isShortUrlColumn = (name: string | undefined): boolean =>
  name !== undefined && ['link', ...shortUrlNames].includes(name);

/** Says which columns were read by another name; nothing if none was. */
export const readAs = (found: ReadonlyMap<string, string>): string | undefined => {
  const others = [...found].filter(([name, column]) => plainName(name) !== column);
  if (others.length === 0) return undefined;
  return `Read ${others.map(([name, column]) => `${name} from '${column}'`).join(', ')}`;
};

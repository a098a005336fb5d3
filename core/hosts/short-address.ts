import { queryPairs } from '../base/query.ts';

const shortFiles = ['qr.png', 'qr.svg', 'link.json', 'open.json'] as const;

/** A file below a short URL. */
type ShortFile = (typeof shortFiles)[number];

/** A parsed path on a short host. Codes have no dots, so a last segment with one is a file. */
export interface ShortPath {
  /** The project's folder on a shared host; undefined on a custom host. */
  readonly folder?: string | undefined;
  readonly code: string;
  readonly file?: ShortFile | undefined;
}

const appended = String.raw`[/\t\n\r !"'),.:;>?\]]*`;

/**
 * Paths of short URLs after `plainPath`, including repeated slashes, appended characters, and the signs of bold and struck
 * text in chats. The edge function removes those.
 */
export const shortPath = new RegExp(
  String.raw`^\/+(?:([a-z0-9-]{2,32})\/+)?([A-Za-z0-9_-]{3,50})(?:\/+(${shortFiles.join('|').replaceAll('.', String.raw`\.`)}))?${appended}(?:[*~]{1,2}${appended})?$`,
);

/** A character's bytes in UTF-8, which an HTTP server reads as Latin-1. */
export const characterBytes = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/**
 * Characters outside ASCII that follow addresses in texts: Unicode's closing, final and other punctuation, the quotation marks
 * that close in some languages only, blanks, and characters without width.
 */
const closingMark = /(?![\0-\x7f])[\p{Pe}\p{Pf}\p{Po}«‘“‹\xa0\u200b-\u200f\u2060\u3000\ufeff]/gu;

/** A path decoded once, except for slashes, with `!` in place of each closing mark. */
const plainPath = (path: string): string => {
  const escaped = path
    .replace(/%(?=2f)/gi, '%25')
    .replace(characterBytes, (bytes) => bytes.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`));
  try {
    return decodeURIComponent(escaped).replace(closingMark, '!');
  } catch {
    return '';
  }
};

export const readShortPath = (path: string): ShortPath | undefined => {
  const [, folder, code, file] = shortPath.exec(plainPath(path)) ?? [];
  return code === undefined ? undefined : { folder, code, file: file as ShortFile | undefined };
};

/** The short URL as its visitor opened it. */
export const shortUrlOf = (
  { folder, code }: Pick<ShortPath, 'folder' | 'code'>,
  { host, scheme }: { host: string; scheme: string | undefined },
): string => `${scheme === 'http' ? 'http' : 'https'}://${host}${folder ? `/${folder}` : ''}/${code}`;

/**
 * Whether a host is the service's own, where every project has a folder. CloudFront accepts such names only for its own
 * distribution, and never a loopback address.
 */
export const isServiceHost = (host: string, shortDomain: string | undefined): boolean => {
  const name = host.replace(/\.?(:\d+)?$/, '');
  if (!URL.canParse(`https://${host}`)) return false;
  return /^[a-z\d-]+\.cloudfront\.net$/.test(name) || name === shortDomain || loopback.has(name);
};

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);

/** The query parameter that opens the debug page. */
export const debugParameter = 'd=1';

/** The part of a query that marks a visit by QR code. */
export const qrParameter = 'qr';

const own: ReadonlySet<string> = new Set([debugParameter, qrParameter]);

/** A query without the service's own parts, which are matched literally. */
export const visitorQuery = (query: string): string =>
  queryPairs(query)
    .filter((pair) => !own.has(pair))
    .join('&');

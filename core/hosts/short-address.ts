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

/** Characters that texts append to addresses: raw, as bytes that an HTTP server reads as Latin-1, and percent-encoded. */
const appended =
  /[\t\n\r !"'),.:;>?\]\xa0\u2019\u201d\u2026\u200b\u3000\ufeff]|\xe2\x80[\x8b\x99\x9d\xa6]|\xc2\xa0|\xe3\x80\x80|\xef\xbb\xbf|%(?:09|0[AaDd]|2[01279CcEe]|3[ABEFabef]|5[Dd]|[Ee]2%80%(?:8[Bb]|99|9[Dd]|[Aa]6)|[Cc]2%[Aa]0|[Ee]3%80%80|[Ee][Ff]%[Bb][Bb]%[Bb][Ff])/;

/** Paths of short URLs, including repeated slashes and appended characters. The edge function removes those. */
export const shortPath = new RegExp(
  String.raw`^\/+(?:([a-z0-9-]{2,32})\/+)?([A-Za-z0-9_-]{3,50})(?:\/+(${shortFiles.join('|').replaceAll('.', String.raw`\.`)}))?(?:\/|${appended.source})*$`,
);

export const readShortPath = (path: string): ShortPath | undefined => {
  const [, folder, code, file] = shortPath.exec(path) ?? [];
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

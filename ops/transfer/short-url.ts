import { hostnameOf } from '../../core/destinations/web-address.ts';
import type { ImportWarning } from './row.ts';
import { trimmed } from './trimmed.ts';

/** A short URL of another service, with or without its scheme. */
export interface ForeignShortUrl {
  /** The host in the form of `plainHost`. */
  readonly host: string;
  /** The last segment of its path, byte for byte. */
  readonly code: string;
  /** Segments before it, with slashes between them. */
  readonly folder: string;
}

/** A host for comparisons: in lower case, encoded, without port and final dot. */
export const plainHost = (text: string): string => {
  const url = URL.parse(`https://${trimmed(text)}`);
  return url ? hostnameOf(url) : text;
};

/** Parses a short URL; undefined for anything else. */
export const readShortUrl = (text: string): ForeignShortUrl | undefined => {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/?#\s]+)\/([^?#\s]*)/i.exec(trimmed(text)) ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  const code = segments.pop();
  if (host === '' || code === undefined) return undefined;
  return { host: plainHost(host), code, folder: segments.join('/') };
};

/** Why a row with this short URL can't be imported; undefined if it can. */
export const shortUrlFault = (url: ForeignShortUrl | undefined): ImportWarning | undefined => {
  if (!url) return { reason: 'the row has no short link' };
  if (url.folder === '') return undefined;
  const reason = 'the path of its short link has several parts';
  return { reason, detail: `${reason}: ${url.folder}/${url.code}` };
};

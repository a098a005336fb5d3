/* Addresses of links, as apps parse and resolve them. React Native's URL is incomplete. */

/** The content of an address that opened the app: null, a short URL to resolve, or the destination. */
export type Opened = { readonly shortUrl: string } | { readonly link: string } | null;

export interface Hosts {
  /** All hosts of your short URLs, such as `go.example.com`; the shared host with your folder: `short.example/acme`. */
  readonly hosts: readonly string[];
  /** Destination hosts accepted without the service. Write hosts that aren't ASCII as `xn--…`. */
  readonly linkHosts?: readonly string[] | undefined;
}

const address = /^(https?):\/\/([a-z\d.-]+(?::\d+)?)(\/[^?#\\]*)?(?:\?([^\s#]*))?(?:#\S*)?$/i;
/** Matches a short path, as the service does: slashes may repeat, and people append punctuation and blanks. */
const shortPath =
  /^\/+(?:([a-z\d-]{2,32})\/+)?([\w-]{3,50})([/\t\n\r !"'),.:;>?\]]*(?:[*~]{1,2}[/\t\n\r !"'),.:;>?\]]*)?)$/;
const schemeLink = /^[a-z][a-z\d+.-]*:\/\/google\/link\/?\?([^\s#]*)/i;
/** Hosts of the local stack, where short URLs are plain http. An Android emulator reaches it at 10.0.2.2. */
const localHosts: readonly string[] = ['localhost', '127.0.0.1', '10.0.2.2'];

const hostForm = /^[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?(\/[a-z\d-]{2,32})?$/;

/** Reads `host` and `host/folder` of settings. Throws a TypeError for other texts, because they would match nothing. */
export const placesOf = (name: string, entries: readonly string[], least = 1): string[] => {
  const refuse = (given: unknown, what: string): never => {
    throw new TypeError(
      `${name}: ${JSON.stringify(given)} isn't a ${what} such as go.example.com, or host/folder`,
    );
  };
  if (!Array.isArray(entries) || entries.length < least) return refuse(entries, 'list of hosts');
  return entries.map((entry) => {
    const place = String(entry)
      .toLowerCase()
      .replace(/^https?:\/\/(.*?)\/?$/, '$1');
    return typeof entry === 'string' && hostForm.test(place) ? place : refuse(entry, 'host');
  });
};

/**
 * Creates a parser of URLs on these hosts, and a check whether a URL in a response is the service's own. The returned
 * `hosts` are without folders.
 */
export const addressReader = ({ hosts, linkHosts = [] }: Hosts) => {
  const shortPlaces = placesOf('hosts', hosts);
  const shortHosts = shortPlaces.flatMap((place) => place.split('/', 1));
  const linkPlaces = placesOf('linkHosts', linkHosts, 0);

  const parse = (text: unknown): Opened => {
    const given = String(text).trim();
    const [scheme, host, path, query] = partsOf(given);
    if (!host) return destination(parameterOf(schemeLink.exec(given)?.[1], 'deep_link_id'));
    const isSecure = scheme === 'https';
    if (!isAmong(shortHosts, host) || !(isSecure || isAmong(localHosts, host))) return null;
    const isLong =
      path === '/' || (/(^|&)(apn|ibi|ofl)=/.test(query) && isAmong(shortPlaces, host, folderOf(path)));
    const long = isLong && isSecure ? destination(parameterOf(query, 'link')) : null;
    if (long || path === '/') return long;
    const [, folder, code, appended = ''] = shortPath.exec(plain(path)) ?? [];
    if (!code || !isAmong(shortPlaces, host, folder)) return null;
    const isClean = appended.replace('/', '') === '' && !path.includes('//');
    const clean = `${scheme}://${host}/${folder ? `${folder}/` : ''}${code}${query && `?${query}`}`;
    return { shortUrl: isClean ? given.replace(/#.*/, '') : clean };
  };

  const destination = (decoded: string): Opened => {
    // A blank in an address is encoded again, or a plus.
    const link = decoded.replaceAll(' ', '%20');
    const [scheme, host, path] = partsOf(link);
    const isAccepted = !/\s/.test(link) && scheme === 'https' && isAmong(linkPlaces, host, folderOf(path));
    return isAccepted ? { link } : null;
  };

  /** Whether a response's short URL is on one of the hosts: on another one, it is another project's. */
  const isOwn = ({ shortUrl }: { readonly shortUrl?: unknown }): boolean => {
    const [, host] = partsOf(shortUrl);
    return shortUrl === undefined || isAmong([...localHosts, ...shortHosts], host);
  };

  return { parse, isOwn, hosts: shortHosts };
};

/** The URL of a link's `open.json` or `link.json`, with the short URL's query except the service's own parameters. */
export const fileAddress = (shortUrl: string, file: 'open.json' | 'link.json', parameters = ''): string => {
  const [path = '', query = ''] = shortUrl.split('?');
  const theirs = query.split('&').filter((pair) => pair && !/^(platform|first|openId)(=|$)/.test(pair));
  const all = theirs.concat(parameters || []).join('&');
  return `${path.replace(/\/$/, '')}/${file}${all && `?${all}`}`;
};

/** The short URL in Google Play's install referrer. */
export const referredUrl = (referrer: unknown): string => parameterOf(referrer, 'deepLink');

/** Scheme, host, path and query of an address. The host is empty for other texts. */
const partsOf = (text: unknown) => {
  const [, scheme = '', host = '', path = '/', query = ''] = address.exec(String(text)) ?? [];
  return [scheme.toLowerCase(), host.toLowerCase(), path, query] as const;
};

/** Whether a host, or its folder, is in the list. A host listed without a port matches each of its ports. */
const isAmong = (places: readonly string[], host: string, folder = ''): boolean =>
  [host, host.replace(/:\d+$/, '')].some(
    (one) => places.includes(one) || places.includes(`${one}/${folder}`),
  );

/** The first folder of a path; undefined if dots may lead out of it. */
const folderOf = (path: string): string | undefined =>
  /^\/([^/]*)(?!.*\/\.\.?(\/|$))/s.exec(plain(path))?.[1];

/** A value of a query or form; empty if there is none. */
const parameterOf = (query: unknown, name: string): string =>
  decoded(new RegExp(`(^|&)${name}=([^&]*)`).exec(String(query))?.[2]?.replaceAll('+', ' '));

/** Decoded text; empty if that fails. */
export const decoded = (text = ''): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** A path decoded once, except for slashes, with `!` in place of each closing mark. */
const plain = (path: string): string =>
  decoded(path.replace(/%(?=2f)/gi, '%25')).replace(
    closingMark('\\xa0\\xab\\u2018\\u201c\\u2039\\u200b-\\u200f\\u2060\\u3000\\ufeff'),
    '!',
  );

/**
 * Characters outside ASCII that follow addresses in texts. Older Hermes doesn't support `\p`, which no bundler may make a
 * literal: there, blocks of punctuation and symbols.
 */
const closingMark = (others: string): RegExp => {
  try {
    return new RegExp(`(?![\\0-\\x7f])[\\p{Pe}\\p{Pf}\\p{Po}${others}]`, 'gu');
  } catch {
    return /[\xa0-\xbf\u2000-\u303f\ufe10-\uff20]/g;
  }
};

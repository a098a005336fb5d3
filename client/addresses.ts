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
  /^\/+((?:[a-z\d-]{2,32}\/+)?[\w-]{3,50})([/\t\n\r !"'),.:;>?\]]*(?:[*~]{1,2}[/\t\n\r !"'),.:;>?\]]*)?)$/;
const schemeLink = /^[a-z][a-z\d+.-]*:\/\/google\/link\/?\?([^\s#]*)/i;
/** Hosts of the local stack, where short URLs are plain http. An Android emulator reaches it at 10.0.2.2. */
const local = /^(localhost|127\.0\.0\.1|10\.0\.2\.2)(:|$)/;

const hostForm = /^[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?(\/[a-z\d-]{2,32})?$/;

/** Reads `host` and `host/folder` of settings. Throws a TypeError for other texts, because they would match nothing. */
export const placesOf = (name: string, entries: readonly string[], least = 1): string[] => {
  if (!Array.isArray(entries) || entries.length < least)
    throw new TypeError(`${name} must be a list such as ['go.example.com']`);
  return entries.map((entry) => {
    const place = String(entry)
      .toLowerCase()
      .replace(/^https?:\/\/(.*?)\/?$/, '$1');
    if (typeof entry === 'string' && hostForm.test(place)) return place;
    throw new TypeError(
      `${name}: ${JSON.stringify(entry)} isn't a host such as go.example.com, or host/folder`,
    );
  });
};

/** Makes a reader of addresses on these hosts, and a judge of the service's responses. */
export const addressReader = ({ hosts, linkHosts = [] }: Hosts) => {
  const shortPlaces = placesOf('hosts', hosts);
  const shortHosts = shortPlaces.map((place) => place.replace(/\/.*/, ''));
  const linkPlaces = placesOf('linkHosts', linkHosts, 0);

  const parse = (text: string): Opened => {
    const given = String(text ?? '').trim();
    const [, scheme = '', host = '', path = '/', query = ''] = address.exec(given) ?? [];
    if (!host) {
      const link = schemeLink.exec(given)?.[1];
      return link === undefined ? null : destination(parameterOf(link, 'deep_link_id'));
    }
    const isSecure = scheme.toLowerCase() === 'https';
    if (!isAmong(shortHosts, host) || !(isSecure || local.test(host))) return null;
    const isLong =
      path === '/' || (/(^|&)(apn|ibi|ofl)=/.test(query) && isAmong(shortPlaces, host, folderOf(path)));
    const long = isLong && isSecure ? destination(parameterOf(query, 'link')) : null;
    if (long || path === '/') return long;
    const [, place = '', appended = ''] = shortPath.exec(plain(path)) ?? [];
    const [code, folder] = place.split(/\/+/).reverse();
    if (!code || !isAmong(shortPlaces, host, folder)) return null;
    const isClean = appended.replace('/', '') === '' && !path.includes('//');
    const clean = `${scheme}://${host}/${place.replace(/\/+/, '/')}${query && `?${query}`}`;
    return { shortUrl: isClean ? given.replace(/#.*/, '') : clean };
  };

  const destination = (decoded: string | undefined): Opened => {
    // A blank in an address is encoded again, or a plus.
    const link = decoded?.replaceAll(' ', '%20');
    const [, scheme = '', host = '', path = '/'] = address.exec(link ?? '') ?? [];
    if (!link || /\s/.test(link) || !/^https$/i.test(scheme)) return null;
    return isAmong(linkPlaces, host, folderOf(path)) ? { link } : null;
  };

  /** Whether a response's short URL is on one of the hosts: on another one, it is another project's. */
  const isOwn = ({ shortUrl }: { readonly shortUrl?: unknown }): boolean => {
    const host = address.exec(String(shortUrl))?.[2] ?? '';
    return shortUrl === undefined || local.test(host) || isAmong(shortHosts, host);
  };

  return { parse, isOwn };
};

/** The address of a link's file, with the short URL's query except the service's own parameters. */
export const fileAddress = (
  shortUrl: string,
  file: 'open.json' | 'link.json',
  parameters: readonly string[] = [],
): string => {
  const [path = '', query = ''] = shortUrl.split('?');
  const theirs = query.split('&').filter((pair) => pair && !/^(platform|first|openId)(=|$)/.test(pair));
  const all = [...theirs, ...parameters].join('&');
  return `${path.replace(/\/$/, '')}/${file}${all && `?${all}`}`;
};

/** The short URL in Google Play's install referrer. */
export const referredUrl = (referrer: string): string => parameterOf(referrer, 'deepLink') ?? '';

/** Whether a host, or its folder, is in the list. A host listed without a port matches each of its ports. */
const isAmong = (places: readonly string[], host: string, folder = ''): boolean => {
  const given = host.toLowerCase();
  return [given, given.replace(/:\d+$/, '')].some(
    (one) => places.includes(one) || places.includes(`${one}/${folder}`),
  );
};

/** The first folder of a path; undefined if dots may lead out of it. */
const folderOf = (path: string): string | undefined => {
  const segments = plain(path).split('/');
  return segments.some((one) => /^\.\.?$/.test(one)) ? undefined : segments[1];
};

/** A value of a query or form. */
const parameterOf = (query: string, name: string): string | undefined => {
  const value = String(query ?? '')
    .split('&')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  return value && decoded(value.replaceAll('+', ' '));
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** A path decoded once, except for slashes, with `!` in place of each closing mark. */
const plain = (path: string): string =>
  (decoded(path.replace(/%(?=2f)/gi, '%25')) ?? '').replace(closingMark(), '!');

/** Characters outside ASCII that follow addresses in texts. Without support for `\p`, as in older Hermes, the usual ones. */
const closingMark = (): RegExp => {
  const others = '\\xab\\u2018\\u201c\\u2039\\xa0\\u200b-\\u200f\\u2060\\u3000\\ufeff';
  try {
    return new RegExp(`(?![\\0-\\x7f])[\\p{Pe}\\p{Pf}\\p{Po}${others}]`, 'gu');
  } catch {
    return new RegExp(
      `[\xbb\u2019\u201d\u2026\u203a\u3001\u3002\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f${others}]`,
      'g',
    );
  }
};

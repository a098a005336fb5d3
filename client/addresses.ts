/* Addresses of links, as apps parse and resolve them. React Native's URL is incomplete. */

/** The content of an address that opened the app: null, a short URL to resolve, or the destination. */
export type Opened = { readonly shortUrl: string } | { readonly link: string } | null;

export interface Hosts {
  /** Hosts of short URLs, such as `go.example.com`. */
  readonly hosts: readonly string[];
  /** Destination hosts accepted without the service; those with umlauts as `xn--…`. */
  readonly linkHosts?: readonly string[] | undefined;
}

const address = /^(https?):\/\/([a-z\d.-]+(?::\d+)?)(\/[^?#\\]*)?(?:\?([^\s#]*))?(?:#\S*)?$/i;
/** Matches a short path, as the service does: slashes may repeat, and people append punctuation and blanks. */
const shortPath =
  /^\/+((?:[a-z\d-]{2,32}\/+)?[\w-]{3,50})([/\t\n\r !"'),.:;>?\]]*(?:[*~]{1,2}[/\t\n\r !"'),.:;>?\]]*)?)$/;
const schemeLink = /^[a-z][a-z\d+.-]*:\/\/google\/link\/?\?([^\s#]*)/i;
/** Hosts of the local stack, where short URLs are plain http. An Android emulator reaches it at 10.0.2.2. */
const local = /^(localhost|127\.0\.0\.1|10\.0\.2\.2)(:|$)/;

/** Makes a reader of addresses on these hosts. */
export const addressReader = ({ hosts, linkHosts = [] }: Hosts) => {
  const parse = (text: string): Opened => {
    const given = String(text ?? '').trim();
    const [, scheme = '', host = '', path = '/', query = ''] = address.exec(given) ?? [];
    if (!host) {
      const link = schemeLink.exec(given)?.[1];
      return link === undefined ? null : destination(parameterOf(link, 'deep_link_id'));
    }
    const isSecure = scheme.toLowerCase() === 'https';
    if (!isAmong(hosts, host) || !(isSecure || local.test(host))) return null;
    if (path === '/') return isSecure ? destination(parameterOf(query, 'link')) : null;
    const [, place, appended = ''] = shortPath.exec(plain(path)) ?? [];
    if (place === undefined) return null;
    const isClean = appended.replace('/', '') === '' && !path.includes('//');
    const clean = `${scheme}://${host}/${place.replace(/\/+/, '/')}${query && `?${query}`}`;
    return { shortUrl: isClean ? given.replace(/#.*/, '') : clean };
  };

  const destination = (decoded: string | undefined): Opened => {
    // A blank in an address is encoded again, or a plus.
    const link = decoded?.replaceAll(' ', '%20');
    const [, scheme = '', host = ''] = address.exec(link ?? '') ?? [];
    return link && !/\s/.test(link) && /^https$/i.test(scheme) && isAmong(linkHosts, host) ? { link } : null;
  };

  return parse;
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

/** Whether a host is in the list. One listed without a port matches each of its ports. */
const isAmong = (hosts: readonly string[], host: string): boolean => {
  const given = host.toLowerCase();
  return hosts.some((one) => [given, given.replace(/:\d+$/, '')].includes(one.toLowerCase()));
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

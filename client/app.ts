/** What an app gets to know about a short URL. */
export interface AppLink {
  readonly code: string;
  readonly shortUrl: string;
  /** The destination with the campaign and the parameters of the short URL. */
  readonly link: string;
  readonly campaign: Readonly<Record<string, string>> | null;
  readonly android: { readonly package: string | null; readonly minVersion: string | null } | null;
  readonly ios: {
    readonly bundleId: string | null;
    readonly appStoreId: string | null;
    readonly minVersion: string | null;
  } | null;
  readonly expiresAt: string | null;
}

/** What an address that opened the app says by itself: nothing, a short URL to resolve, or the destination. */
export type Opened = { readonly shortUrl: string } | { readonly link: string } | null;

export interface AppSettings {
  /** Hosts of short URLs, such as `go.example.com`. */
  readonly hosts: readonly string[];
  readonly platform: 'ios' | 'android';
  /** Hosts to which an address alone may lead the app; those with umlauts as `xn--…`. */
  readonly linkHosts?: readonly string[];
}

/** `Linking` of React Native, or what stands for it. */
export interface Linking {
  // biome-ignore lint/suspicious/noExplicitAny: React Native's own overloads take one name only
  addEventListener(type: any, listener: (event: { url: string }) => void): { remove(): void } | undefined;
  getInitialURL(): Promise<string | null | undefined>;
}

export interface AppLinks {
  /** What the address says by itself, without a request. */
  parse(text: string): Opened;
  /**
   * What a short URL means, counted as one open; null if it isn't live or the request fails. Makes one request and never
   * rejects.
   */
  resolve(text: string, options?: { readonly first?: boolean }): Promise<AppLink | null>;
  /** The same of Google Play's install referrer, at the first start. */
  fromReferrer(referrer: string): Promise<AppLink | null>;
  /** The same of the clipboard's text, at the first start. */
  fromClipboard(text: string): Promise<AppLink | null>;
  /** Hands over what opened the app and what opens it from now on. Returns a function that ends this. */
  listen(linking: Linking, handler: (opened: Opened) => void): () => void;
}

// React Native has no complete URL.
const address = /^(https?):\/\/([a-z\d.-]+(?::\d+)?)(\/[^?#\\]*)?(?:\?([^\s#]*))?(?:#\S*)?$/i;
/** Slashes may repeat, and people append punctuation and blanks. */
const shortPath =
  /^\/+((?:[a-z\d-]{2,32}\/+)?[\w-]{3,50})([/\t\n\r !"'),.:;>?\]\xa0\u2019\u201d\u2026\u200b\u3000\ufeff]*)$/;
const schemeLink = /^[a-z][a-z\d+.-]*:\/\/google\/link\/?\?([^\s#]*)/i;
/** Only there a short URL is plain http: on the local stack, which an Android emulator finds at 10.0.2.2. */
const local = /^(localhost|127\.0\.0\.1|10\.0\.2\.2)(:|$)/;

/** Receives links in an app. No key is needed. */
export const appLinks = ({ hosts, platform, linkHosts = [] }: AppSettings): AppLinks => {
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
    // A blank in an address is encoded once more, or a plus.
    const link = decoded?.replaceAll(' ', '%20');
    const [, scheme = '', host = ''] = address.exec(link ?? '') ?? [];
    return link && !/\s/.test(link) && /^https$/i.test(scheme) && isAmong(linkHosts, host) ? { link } : null;
  };

  const resolve: AppLinks['resolve'] = async (text, { first = false } = {}) => {
    const opened = parse(text);
    if (!opened || !('shortUrl' in opened)) return null;
    const [path = '', query = ''] = opened.shortUrl.split('?');
    const theirs = query.split('&').filter((pair) => pair && !/^(platform|first)(=|$)/.test(pair));
    const parameters = [...theirs, `platform=${platform}`, ...(first ? ['first=true'] : [])];
    try {
      const answer = await fetch(`${path.replace(/\/$/, '')}/open.json?${parameters.join('&')}`);
      return answer.status === 200 ? ((await answer.json()) as AppLink) : null;
    } catch {
      return null;
    }
  };

  return {
    parse,
    resolve,
    fromReferrer: (referrer) => resolve(parameterOf(referrer, 'deepLink') ?? '', { first: true }),
    fromClipboard: (text) => resolve(text, { first: true }),
    listen: (linking, handler) => {
      let isOver = false;
      const hand = (url: string | null | undefined) => {
        if (url && !isOver) handler(parse(url));
      };
      const subscription = linking.addEventListener('url', ({ url }) => hand(url));
      linking.getInitialURL().then(hand, () => undefined);
      return () => {
        isOver = true;
        subscription?.remove();
      };
    },
  };
};

/** A host without a port stands for each of its ports. */
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

/** Letters mean the same percent-encoded, but a slash doesn't. */
const plain = (path: string): string => decoded(path.replace(/%(?=2f)/gi, '%25')) ?? '';

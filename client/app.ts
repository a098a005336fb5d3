import { addressReader, fileAddress, type Hosts, type Opened, referredUrl } from './addresses.ts';

export { DynamicLinksError, type ErrorCode, type Fault } from './failures.ts';
export {
  type SharedLink,
  type ShareFetch,
  type ShareRequest,
  type ShareSettings,
  shareLink,
} from './share-link.ts';
export type { Opened };

/** A short URL's link, as the service returns it to apps. */
export interface AppLink {
  readonly code: string;
  readonly shortUrl: string;
  /** The destination with the campaign and the parameters of the short URL. */
  readonly link: string;
  /** Data for the app, which isn't part of any address. */
  readonly data: Readonly<Record<string, string>> | null;
  readonly campaign: Readonly<Record<string, string>> | null;
  readonly android: { readonly package: string | null; readonly minVersion: string | null } | null;
  readonly ios: {
    readonly bundleId: string | null;
    readonly appStoreId: string | null;
    readonly minVersion: string | null;
  } | null;
  readonly expiresAt: string | null;
}

export interface AppSettings extends Hosts {
  readonly platform: 'ios' | 'android';
}

/** React Native's `Linking`, or a replacement. */
export interface Linking {
  // biome-ignore lint/suspicious/noExplicitAny: React Native's own overloads take one name only
  addEventListener(type: any, listener: (event: { url: string }) => void): { remove(): void } | undefined;
  getInitialURL(): Promise<string | null | undefined>;
}

export interface AppLinks {
  /** Parses an address without a request. */
  parse(text: string): Opened;
  /**
   * Resolves a short URL and counts one open; null if it isn't live, belongs to a foreign host, or the request
   * fails. Makes one request and never rejects.
   */
  resolve(text: string, options?: { readonly first?: boolean }): Promise<AppLink | null>;
  /** Resolves Google Play's install referrer, at the first start. */
  fromReferrer(referrer: string): Promise<AppLink | null>;
  /** Resolves the clipboard's text, at the first start. */
  fromClipboard(text: string): Promise<AppLink | null>;
  /** Passes on the address that opened the app and later ones. Returns a function that stops it. */
  listen(linking: Linking, handler: (opened: Opened) => void): () => void;
}

/** Receives links in an app. No key is needed. Throws a TypeError for malformed hosts. */
export const appLinks = ({ hosts, platform, linkHosts }: AppSettings): AppLinks => {
  const { parse, isOwn } = addressReader({ hosts, linkHosts });

  const resolve: AppLinks['resolve'] = async (text, { first = false } = {}) => {
    const opened = parse(text);
    if (!opened || !('shortUrl' in opened)) return null;
    const parameters = `platform=${platform}${first ? '&first=true' : ''}`;
    try {
      const answer = await fetch(fileAddress(opened.shortUrl, 'open.json', parameters));
      if (answer.status !== 200) return null;
      const link = (await answer.json()) as AppLink;
      return isOwn(link) ? link : null;
    } catch {
      return null;
    }
  };

  return {
    parse,
    resolve,
    fromReferrer: (referrer) => resolve(referredUrl(referrer), { first: true }),
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

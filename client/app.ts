import { addressReader, fileAddress, type Hosts, type Opened, referredUrl } from './addresses.ts';

export type { Opened };

/** What an app gets to know about a short URL. */
export interface AppLink {
  readonly code: string;
  readonly shortUrl: string;
  /** The destination with the campaign and the parameters of the short URL. */
  readonly link: string;
  /** Data for the app, which is in no address. */
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

/** Receives links in an app. No key is needed. */
export const appLinks = ({ hosts, platform, linkHosts }: AppSettings): AppLinks => {
  const parse = addressReader({ hosts, linkHosts });

  const resolve: AppLinks['resolve'] = async (text, { first = false } = {}) => {
    const opened = parse(text);
    if (!opened || !('shortUrl' in opened)) return null;
    const parameters = [`platform=${platform}`, ...(first ? ['first=true'] : [])];
    try {
      const answer = await fetch(fileAddress(opened.shortUrl, 'open.json', parameters));
      return answer.status === 200 ? ((await answer.json()) as AppLink) : null;
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

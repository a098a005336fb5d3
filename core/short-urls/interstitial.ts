import { limits } from '../base/limits.ts';
import type { Platform } from '../base/platform.ts';
import { browserOf } from '../visits/client-software.ts';
import { inAppBrowserOf, intentUrl, wayOutUrl } from '../visits/in-app-browsers.ts';
import type { Visitor } from '../visits/visitor.ts';
import type { Apps } from './app-settings.ts';
import { appOf, hasApp } from './app-settings.ts';
import {
  type Arrival,
  destinationOf,
  leadsToStore,
  openedUrl,
  previewOf,
  type RoutedLink,
  route,
  savedAppId,
} from './routing.ts';

/** A visitor who may get a page instead of a redirect. */
export interface BrowserArrival extends Arrival {
  readonly userAgent: string;
}

/** A button of the page. `browser` opens the web address in the phone's own browser. */
export interface Button {
  readonly kind: 'app' | 'store' | 'web' | 'browser';
  readonly url: string;
}

type InAppBrowser = ReturnType<typeof inAppBrowserOf>;

/** The page's content on one kind of device, with the best button first. */
export interface DeviceSection {
  readonly device: 'android' | 'ios' | 'desktop';
  readonly buttons: readonly Button[];
  readonly appName?: string | undefined;
  /** The address to which a redirect would lead on this platform. */
  readonly redirect: string;
}

/** The content of an interstitial page, shown instead of a redirect. */
export type Interstitial = NonNullable<ReturnType<typeof interstitialOf>>;

/** Safari on a Mac. Three patterns, because a single one for any order would backtrack. */
const isSafariOfMac = (userAgent: string): boolean =>
  /\bMacintosh\b/.test(userAgent) &&
  /\bAppleWebKit\/6\d\d\./.test(userAgent) &&
  !/\bChrome\//.test(userAgent);

/** A short user agent of such a browser. */
export const safariOfMac = 'Macintosh AppleWebKit/605.1';

/** iPads identify as Macs in Safari and in every browser based on it. */
export const mayBeIpad = ({ kind, platform }: Visitor, userAgent: string): boolean =>
  kind === 'person' && platform === 'web' && isSafariOfMac(userAgent);

const iPad: Visitor = { kind: 'person', platform: 'ios' };

const hasPage = ({ payload: { interstitial } }: RoutedLink): boolean =>
  interstitial === 'auto' || interstitial === 'always';

/** The platforms whose saved apps must be read for a visitor. */
export const platformsOf = (
  link: RoutedLink,
  { visitor, userAgent, decision }: BrowserArrival,
): Platform[] => {
  const platform = hasPage(link) && mayBeIpad(visitor, userAgent) ? 'ios' : visitor.platform;
  return !decision && savedAppId(link, platform) ? [platform] : [];
};

/** Whether a visitor may get an interstitial page, before saved apps are known. */
export const mayGetPage = (link: RoutedLink, { visitor, userAgent, decision }: BrowserArrival): boolean =>
  visitor.kind === 'person' &&
  !decision &&
  hasPage(link) &&
  (link.payload.interstitial === 'always' ||
    mayBeIpad(visitor, userAgent) ||
    inAppBrowserOf(userAgent) !== undefined);

/**
 * The interstitial page for a person: with `always`, or with `auto` if a redirect is known to fail. It offers every
 * address that can be opened. Undefined if the visitor gets a redirect.
 */
export const interstitialOf = (link: RoutedLink, apps: Apps, arrival: BrowserArrival) => {
  const { visitor, userAgent, shortUrl, query } = arrival;
  if (visitor.kind !== 'person' || !hasPage(link)) return undefined;
  const { platform } = visitor;
  const browser = platform === 'web' ? undefined : inAppBrowserOf(userAgent);
  const isUnsure = mayBeIpad(visitor, userAgent) && hasApp('ios', link.payload, apps);
  const isAuto = link.payload.interstitial === 'auto';
  if (isAuto && !isUnsure && !(platform !== 'web' && browser && hasApp(platform, link.payload, apps))) {
    return undefined;
  }
  const sections = (isUnsure ? [visitor, iPad] : [visitor]).map((one) =>
    sectionOf(link, apps, { ...arrival, visitor: one, browser }),
  );
  const [first] = sections;
  // A page that continues automatically needs an address for each device.
  if (!first || (isAuto && sections.includes(undefined))) return undefined;
  return {
    about: previewOf(link),
    /** The destination, shown if the link has no title. */
    destination: destinationOf(link, arrival) ?? first.redirect,
    /** Two sections if only a script can detect the device: a Mac's, then an iPad's. */
    sections: sections.filter((section) => section !== undefined),
    /** Whether the page continues automatically once it has detected the device. */
    goesOn: isAuto && isUnsure,
    /** The in-app browser that shows the page. */
    browser,
    /** The short URL as it was opened: what the store button copies and the banner hands to the app. */
    opened: openedUrl(shortUrl, query),
    // The app for which Safari may show its own banner.
    ...((platform === 'ios' || isUnsure) && { appStoreId: appOf('ios', link.payload, apps).storeId }),
  };
};

/** A device's section; undefined if nothing can be opened. */
const sectionOf = (
  link: RoutedLink,
  apps: Apps,
  arrival: BrowserArrival & { readonly browser: InAppBrowser },
): DeviceSection | undefined => {
  const { platform: device } = arrival.visitor;
  const answer = route(link, apps, arrival);
  if (answer.kind !== 'redirect') return undefined;
  const { url } = answer;
  if (device === 'web') return { device: 'desktop', buttons: [{ kind: 'web', url }], redirect: url };
  const isStore = leadsToStore(answer.setting, new URL(url));
  const store = isStore ? url : undefined;
  const web = isStore ? destinationOf(link, arrival) : url;
  const app = appUrl(device, link, apps, { ...arrival, store, web });
  return {
    device,
    buttons: buttonsOf(device, { app, store, web }, arrival.browser),
    appName: appOf(device, link.payload, apps).name,
    redirect: url,
  };
};

type Addresses = { readonly [Kind in 'app' | 'store' | 'web']?: string | undefined };

const buttonsOf = (
  device: 'android' | 'ios',
  { app, store, web }: Addresses,
  browser: InAppBrowser,
): Button[] => {
  // An iPhone with the app mostly opens it without this page; without the app, Safari shows an error.
  const working = browser ? browser[device] : device === 'ios' ? [] : ['app' as const];
  // An app's link repeats the address: an overlong one would make the page large, and few systems accept it.
  const buttonFor = (kind: Button['kind'], url: string | undefined): Button[] =>
    url && (kind === 'store' || kind === 'web' || url.length <= limits.url) ? [{ kind, url }] : [];
  const [toApp, toStore] = [buttonFor('app', app), buttonFor('store', store)];
  return [
    ...(working.includes('app') ? [...toApp, ...toStore] : [...toStore, ...toApp]),
    ...buttonFor('browser', web && wayOutUrl(working, web)),
    ...buttonFor('web', web),
  ];
};

const bundleId = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+$/i;
const packageName = /^[a-z]\w*(?:\.[a-z]\w*)+$/i;

/**
 * A link that opens the app, if it is installed. Android gets an intent with the package, the short URL and a fallback.
 * iOS gets the bundle id as a scheme with the destination, as Firebase's SDK reads it; an id has dots, so it is never a
 * scheme that a browser handles.
 */
const appUrl = (
  device: 'android' | 'ios',
  { payload }: RoutedLink,
  apps: Apps,
  { shortUrl, query, userAgent, store, web }: BrowserArrival & Addresses,
): string | undefined => {
  const { identifier = '' } = appOf(device, payload, apps);
  if (device === 'ios') {
    if (!bundleId.test(identifier) || !web) return undefined;
    return `${identifier}://google/link/?deep_link_id=${encodeURIComponent(web)}&match_type=unique`;
  }
  const otherwise = store ?? web;
  if (!packageName.test(identifier) || !otherwise) return undefined;
  // Firefox follows the fallback even if the app is installed. Without one it opens the store.
  const fallback = browserOf(userAgent) === 'firefox' ? undefined : otherwise;
  return intentUrl(openedUrl(shortUrl, query), identifier, fallback);
};

import type { Setting } from '../short-urls/routing.ts';
import { fill } from './words.ts';

export interface WordsOfSetting {
  readonly link: string;
  readonly app?: string;
  readonly desktop?: string;
}

/** Every word on the debug page; a file of its own, because only that page loads it. */
export const debugWords = {
  title: 'Where {shortUrl} leads',
  heading: 'Where this link leads',
  active: 'Active',
  until: 'until {time}',
  time: '{date}, {clock} UTC',
  visitor: 'Visitor',
  gets: 'Gets',
  because: 'Because',
  /** Visitors of a kind for whom redirects are known to fail. */
  failing: {
    androidInApp: 'Instagram & co, Android',
    iosInApp: 'Instagram & co, iPhone',
    macOrIpad: 'Safari: Mac or iPad',
  },
  previewPage: 'A preview page',
  notFoundPage: 'The “not found” page',
  interstitialPage: 'An interstitial page',
  reasons: {
    nothing: 'The link has no address that can be opened.',
    pageAlways: 'The link always shows people an interstitial page. It leads to {hosts}.',
    pageInApp: 'Redirects often fail there. The page leads to {hosts}.',
    pageIpad: 'An iPad says it is a Mac. The page finds out and goes on at once, to {hosts}.',
    preview: 'The link has a social preview. A person who taps the preview is routed by their device.',
    noPreview: 'The link has no social preview, so a crawler is routed like a desktop browser.',
  },
  /** Why a visitor goes where a setting leads: the link's own, that of its saved app, and on a desktop. */
  settings: {
    rule: { link: 'The rule {rule} decides.' },
    'store-fallback': {
      link: 'The link has a store fallback for this system.',
      app: 'The saved app has a store fallback.',
    },
    'store-id': {
      link: 'The link names the app in this system’s store.',
      app: 'The saved app is in this system’s store.',
    },
    'desktop-fallback': { link: 'The link has a desktop fallback.' },
    destination: {
      link: 'The destination, because the link has no store address for this system.',
      app: 'The destination, because the saved app has no store address.',
      desktop: 'The destination.',
    },
  } satisfies Readonly<Record<Setting, WordsOfSetting>>,
  warnings: {
    heading: 'Worth a look',
    noAssociation: {
      android:
        'Android phones can’t open the app from this link: no Android app is associated with the project’s short URLs.',
      ios: 'iPhones can’t open the app from this link: no iOS app is associated with the project’s short URLs.',
    },
    noIdentifier: {
      android:
        'The Android package is no package name such as com.example.app, so Google Play finds no app by it. The address of a store goes into the store fallback.',
      ios: 'The bundle id is none such as com.example.app. The address of a store goes into the store fallback.',
    },
    noIosStore: 'The iOS app has no App Store id and no store fallback, so iPhones go to the destination.',
    appDeleted: {
      android: 'The saved Android app {app} was deleted. The link’s own Android settings count instead.',
      ios: 'The saved iOS app {app} was deleted. The link’s own iOS settings count instead.',
    },
    large:
      'The link takes more than 4 KB, mostly by its rules, so every visit reads more: it serves fewer visitors a second.',
    noSocialImage: 'The social preview has no picture. Most networks show such a link smaller.',
  },
  rules: {
    heading: 'Rules',
    order: 'The first rule that holds decides where a visitor goes.',
    noneDecides: 'No rule decides for you.',
    otherwise: 'If no rule holds',
    decides: 'decides for you',
    yours: 'yours',
    toCome: 'A rule that begins later.',
    passed: 'Its time has passed. Remove it, or change its end.',
    share: '{name}, {percent} %:',
    figures: 'Whoever has a key of the project finds the clicks of each rule at {path}',
  },
  card: 'In social networks',
  qr: 'QR code: {png} or {svg}',
  png: 'PNG',
  svg: 'SVG',
  note: 'Opening this page doesn’t count as a click. A phone that has the app installed may open the app without visiting this address.',
} as const;

/** A time of ISO 8601 UTC, such as `1 December 2026, 08:00 UTC`. */
export const timeInWords = (iso: string): string =>
  fill(debugWords.time, { date: dates.format(new Date(iso)), clock: iso.slice(11, 16) });

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

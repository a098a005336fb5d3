import { browserOf } from './client-software.ts';

/** Links that work in an in-app browser: those that open an app, and ways out to the phone's own browser. */
type Working = 'app' | keyof typeof waysOut;

type InAppBrowser = { readonly name: string } & Readonly<Record<'android' | 'ios', readonly Working[]>>;

/**
 * In-app browsers in which redirects to apps and stores are known to fail, by their names in analytics. Their behaviour
 * changes with each app's versions: update this table. It was last checked on Android in November 2024, on iOS in
 * October 2024, and for Instagram in September 2026.
 *
 * Sources: the results and threads of github.com/shalanah/inapp-debugger (its tables of October and November 2024; its
 * threads 22 and 23 of 2026 about Instagram on iOS). Without a report that a link works, the page offers no way out,
 * and puts links to stores before those to apps.
 */
export const inAppBrowsers: Readonly<Record<string, InAppBrowser>> = {
  instagram: { name: 'Instagram', android: ['app', 'intent'], ios: ['instagram'] },
  messenger: { name: 'Messenger', android: ['app', 'intent'], ios: ['safari'] },
  facebook: { name: 'Facebook', android: ['app', 'intent'], ios: ['app', 'safari'] },
  tiktok: { name: 'TikTok', android: [], ios: ['safari'] },
  snapchat: { name: 'Snapchat', android: ['app'], ios: [] },
  linkedin: { name: 'LinkedIn', android: ['app'], ios: ['app', 'safari'] },
  pinterest: { name: 'Pinterest', android: [], ios: [] },
  line: { name: 'LINE', android: ['app', 'intent'], ios: ['app', 'safari'] },
  wechat: { name: 'WeChat', android: [], ios: [] },
  threads: { name: 'Threads', android: ['app', 'intent'], ios: [] },
};

export const inAppBrowserOf = (userAgent: string): InAppBrowser | undefined =>
  inAppBrowsers[browserOf(userAgent)];

/** Builders of links that a person taps. */
const waysOut = {
  intent: (address: string) => intentUrl(address),
  safari: (address: string) => `x-safari-${address}`,
  instagram: (address: string) => `instagram://extbrowser/?url=${encodeURIComponent(address)}`,
};

/** A link that opens a web address in the phone's own browser, where one is known to work. */
export const wayOutUrl = (working: readonly Working[], address: string): string | undefined =>
  working.flatMap((one) => (one === 'app' ? [] : waysOut[one](address)))[0];

/** An Android intent that opens an address in an app, by its package, or in the browser; `otherwise` is the fallback. */
export const intentUrl = (address: string, app?: string, otherwise?: string): string => {
  const colon = address.indexOf(':');
  const inApp = app ? `package=${encodeURIComponent(app)};` : '';
  const fallback = otherwise ? `S.browser_fallback_url=${encodeURIComponent(otherwise)};` : '';
  return `intent${address.slice(colon)}#Intent;scheme=${address.slice(0, colon)};${inApp}${fallback}end`;
};

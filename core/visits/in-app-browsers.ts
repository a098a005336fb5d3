/** How a browser inside an app lets an address out into the phone's own browser. Each is a link that a person taps. */
export type WayOut = 'intent' | 'safari' | 'instagram';

interface OnPlatform {
  /** Nothing where no way is known that works. */
  readonly wayOut?: WayOut;
  /** Whether a link that names an app opens it from there, as far as anybody has said. */
  readonly opensApps: boolean;
}

/** A browser inside an app: how to recognise it, and what people have found to work in it. */
export interface InAppBrowser {
  readonly name: string;
  /** A pattern of its user agent. */
  readonly pattern: RegExp;
  readonly android: OnPlatform;
  readonly ios: OnPlatform;
}

/**
 * Browsers inside apps in which redirects to apps and stores are known to fail, the more telling names first. What
 * works there changes with the apps: this table is what to change. It was last found so on Android in November 2024, and on iOS
 * in October 2024, Instagram in September 2026.
 *
 * Sources: the results and threads of github.com/shalanah/inapp-debugger (its tables of October and November 2024;
 * its threads 22 and 23 of 2026 about Instagram on iOS). Where nobody has said that something works, nothing is
 * promised: no way out, and links to apps come after those to stores.
 */
export const inAppBrowsers: readonly InAppBrowser[] = [
  {
    name: 'Instagram',
    pattern: /\bInstagram \d/,
    android: { wayOut: 'intent', opensApps: true },
    ios: { wayOut: 'instagram', opensApps: false },
  },
  {
    name: 'Messenger',
    pattern: /\bFB(?:AN|_IAB)\/(?:Messenger|Orca)/,
    android: { wayOut: 'intent', opensApps: true },
    ios: { wayOut: 'safari', opensApps: false },
  },
  {
    name: 'Facebook',
    pattern: /\bFB(?:AN|AV|_IAB)\//,
    android: { wayOut: 'intent', opensApps: true },
    ios: { wayOut: 'safari', opensApps: true },
  },
  {
    name: 'TikTok',
    pattern: /\b(?:musical_ly|trill|TikTok|BytedanceWebview)/,
    android: { opensApps: false },
    ios: { wayOut: 'safari', opensApps: false },
  },
  {
    name: 'Snapchat',
    pattern: /Snapchat\/?\d/,
    android: { opensApps: true },
    ios: { opensApps: false },
  },
  {
    name: 'LinkedIn',
    pattern: /\[LinkedInApp\]/,
    android: { opensApps: true },
    ios: { wayOut: 'safari', opensApps: true },
  },
  {
    name: 'Pinterest',
    pattern: /\[Pinterest\/(?:iOS|Android)\]/,
    android: { opensApps: false },
    ios: { opensApps: false },
  },
  {
    name: 'LINE',
    pattern: /\bLine\/\d/,
    android: { wayOut: 'intent', opensApps: true },
    ios: { wayOut: 'safari', opensApps: true },
  },
  {
    name: 'WeChat',
    pattern: /\bMicroMessenger\/\d/,
    android: { opensApps: false },
    ios: { opensApps: false },
  },
];

export const inAppBrowserOf = (userAgent: string): InAppBrowser | undefined =>
  inAppBrowsers.find(({ pattern }) => pattern.test(userAgent));

/** A link that opens a web address in the phone's own browser. */
export const wayOutUrl = (wayOut: WayOut, address: string): string => {
  if (wayOut === 'safari') return `x-safari-${address}`;
  if (wayOut === 'instagram') return `instagram://extbrowser/?url=${encodeURIComponent(address)}`;
  return intentUrl(address);
};

/** Android's way to name an app for an address, and where to go without it. Without an app it is the browser's. */
export const intentUrl = (address: string, app?: { package: string; otherwise: string }): string => {
  const colon = address.indexOf(':');
  const inApp = app
    ? `package=${encodeURIComponent(app.package)};S.browser_fallback_url=${encodeURIComponent(app.otherwise)};`
    : '';
  return `intent${address.slice(colon)}#Intent;scheme=${address.slice(0, colon)};${inApp}end`;
};

/**
 * English messages of all pages except the debug page; `translations.ts` has other languages. `{…}` is a value, and may
 * stand anywhere. Addresses, names of apps and links' own texts come from their owners.
 */
export const messages = {
  /** The page's language as an HTML language code. */
  language: 'en',

  abuse: 'Report abuse',

  notFoundHeading: 'This link doesn’t lead anywhere',
  notFoundText:
    'It may have been mistyped, or it is no longer active. Ask whoever shared it with you for a new one.',
  notFoundOnward: 'Go to {host}',

  retryHeading: 'One moment, please',
  retryText: 'A lot of people are opening this link right now. This page will retry automatically.',

  app: 'Open in {app}',
  store: 'Get {app}',
  /** For apps without a known name. */
  anyApp: 'Open in the app',
  anyStore: 'Get the app',
  web: 'Continue to {host}',
  browser: { android: 'Continue in your browser', ios: 'Continue in Safari' },
  copies: 'We’ll also copy this link, so the app can open it once it’s installed.',
  inApp:
    'This is {browser}’s own browser. If a button does nothing, choose “Open in browser” from its menu and try again.',
  devices: { desktop: 'On a computer', ios: 'On an iPad', android: 'On Android' },
} as const;

type Texts<Of> = { readonly [Name in keyof Of]: Of[Name] extends string ? string : Texts<Of[Name]> };

export type PageMessages = Texts<typeof messages>;

/** Languages of the pages other than English, as HTML language codes. */
export const translated = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh-Hans'] as const;
export type Translated = (typeof translated)[number];

/** Replaces `{name}` with the value of that name. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

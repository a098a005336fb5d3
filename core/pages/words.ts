/**
 * Every word on the pages but the debug page's, in English; `translations.ts` has those that visitors read in other
 * languages. `{…}` is filled in, and may be anywhere. Addresses, names of apps and the links' own texts come from their
 * owners.
 */
export const words = {
  /** Of the page itself, as HTML names languages. */
  language: 'en',

  abuse: 'Report abuse',

  notFoundHeading: 'This link doesn’t lead anywhere',
  notFoundText:
    'It may have been mistyped, or it is no longer active. Ask whoever shared it with you for a new one.',
  notFoundOnward: 'Go to {host}',

  retryHeading: 'One moment, please',
  retryText: 'Very many people are opening this link. The page tries again by itself.',

  app: 'Open in {app}',
  store: 'Get {app}',
  /** If the app's name is unknown. */
  anyApp: 'Open in the app',
  anyStore: 'Get the app',
  web: 'Continue to {host}',
  browser: { android: 'Continue in your browser', ios: 'Continue in Safari' },
  copies: 'Getting the app also copies this link, so that the app can find it after its installation.',
  inApp:
    'This is {browser}’s own browser. If a button does nothing, choose “Open in browser” from its menu and try again.',
  devices: { desktop: 'On a computer', ios: 'On an iPad', android: 'On Android' },
} as const;

type Texts<Of> = { readonly [Name in keyof Of]: Of[Name] extends string ? string : Texts<Of[Name]> };

/** The words of the pages for people, in one language. */
export type PageWords = Texts<typeof words>;

/** Languages of these pages besides English, as HTML names them. */
export const translated = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh-Hans'] as const;
export type Translated = (typeof translated)[number];

/** Fills in values by name. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

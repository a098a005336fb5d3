import { addressReader, fileAddress } from './addresses.ts';
import { createAppLinks, type LinkReceiver, type LinkSettings, type Opening } from './app-links.ts';
import type { FirebaseDynamicLinksTypes as Firebase } from './firebase-types.ts';
import { asker, openingOf } from './openings.ts';
import { requirePublishable, type ShareSettings, shareLink } from './share-link.ts';
import { attempt } from './within.ts';

/* The shape of `@react-native-firebase/dynamic-links` 22.4.0, for apps that were written for it. */

export type { LinkReceiver, LinkSettings } from './app-links.ts';
export type { FirebaseDynamicLinksTypes } from './firebase-types.ts';

export interface FirebaseSettings extends LinkSettings {
  /** Address of the API. `buildShortLink` needs it and `publishableKey`; `fetch` then also gets a second argument. */
  readonly url?: string | undefined;
  /** A publishable key of the project, `dlp_…`, which is no secret. */
  readonly publishableKey?: string | undefined;
}

let configured: { readonly settings: FirebaseSettings; readonly links: LinkReceiver } | undefined;

/**
 * Sets the source of links; call it first. Later calls change nothing, because openings count once. Throws a TypeError
 * for malformed hosts, and for a key that isn't publishable.
 */
export const configure = (settings: FirebaseSettings): LinkReceiver => {
  if (settings.publishableKey !== undefined) requirePublishable(settings.publishableKey);
  configured ??= { settings, links: createAppLinks(settings) };
  return configured.links;
};

const ready = () => {
  if (configured) return configured;
  throw new Error('Call configure({ hosts, … }) first');
};

// Firebase has an enum with the same values.
export const ShortLinkType = {
  SHORT: 'SHORT',
  UNGUESSABLE: 'UNGUESSABLE',
  DEFAULT: 'DEFAULT',
} as unknown as typeof Firebase.ShortLinkType;

const refuseToBuild = async (): Promise<string> => {
  throw new Error('A key must not be in an app: create links on your server');
};

const socialNames: Readonly<Record<string, string>> = {
  title: 'title',
  descriptionText: 'description',
  imageUrl: 'image',
};
let hasWarned = false;

/** Makes a share link. Its host, like its kind of code, is the project's. */
const share: Firebase.Module['buildShortLink'] = async ({ link, domainUriPrefix: _, ...sections }) => {
  const settings = configured?.settings;
  if (!settings?.url || !settings.publishableKey) return refuseToBuild();
  const request: Record<string, unknown> = { link };
  const ignored: string[] = [];
  for (const [section, values] of Object.entries(sections))
    for (const [name, value] of Object.entries(values ?? {})) {
      if ((value ?? '') === '') continue;
      const isSocial = section === 'social';
      const ours = isSocial ? socialNames[name] : section === 'analytics' && `utm_${name}`;
      const to = isSocial ? section : 'campaign';
      if (ours) request[to] = { ...(request[to] as object), [ours]: value };
      else ignored.push(`${section}.${name}`);
    }
  if (ignored[0] && !hasWarned) {
    hasWarned = true;
    console.warn(`buildShortLink ignores ${ignored.join(', ')}`);
  }
  return (await shareLink(settings as ShareSettings, request)).shortUrl;
};

/** Firebase's link of an opening; null if the link isn't live or not resolved yet. */
const dynamicLinkOf = (opening: Opening | null): Firebase.DynamicLink | null => {
  if (!opening?.link) return null;
  const { link, minVersion, campaign } = opening;
  // Firebase's Android versions are numbers.
  const version = ready().settings.platform === 'android' ? Number(minVersion) : minVersion;
  return { url: link, minimumAppVersion: version || null, utmParameters: { ...campaign } };
};

/** Resolves a link without counting an open. */
const resolve = async (address: string): Promise<Firebase.DynamicLink> => {
  const { settings } = ready();
  const opened = addressReader(settings).parse(address);
  const answer =
    opened && 'shortUrl' in opened
      ? await asker(settings)(fileAddress(opened.shortUrl, 'link.json'))
      : opened;
  const found = dynamicLinkOf(openingOf(answer, settings.platform));
  if (found) return found;
  const code = answer === null ? 'not-found' : 'resolve-link-error';
  throw Object.assign(new Error(`${code}: ${address}`), { code });
};

/** Prints the settings, and each host's association file for the platform. */
const diagnose = async (settings: LinkSettings): Promise<void> => {
  console.log(settings);
  for (const host of addressReader(settings).hosts) {
    const address = `https://${host}/.well-known/${settings.platform === 'ios' ? 'apple-app-site-association' : 'assetlinks.json'}`;
    console.log(address, await attempt(async () => (await (settings.fetch ?? fetch)(address)).json()));
  }
};

const links: Firebase.Module = {
  buildLink: refuseToBuild,
  buildShortLink: share,
  getInitialLink: async () => dynamicLinkOf(await ready().links.initial()),
  onLink: (listener) =>
    ready().links.listen((opening) => {
      const link = dynamicLinkOf(opening);
      if (link) listener(link);
    }),
  performDiagnostics: () => void diagnose(ready().settings),
  resolveLink: resolve,
};

/** Returns the only instance, for any Firebase app. */
export const getDynamicLinks = (_app?: unknown): Firebase.Module => links;

/** A function that calls the method of this name. */
const modular = <Name extends keyof Firebase.Module>(name: Name) => {
  type Method = (...given: Parameters<Firebase.Module[Name]>) => ReturnType<Firebase.Module[Name]>;
  return (module: Firebase.Module, ...given: Parameters<Method>) => (module[name] as Method)(...given);
};

export const buildLink = modular('buildLink');
export const buildShortLink = modular('buildShortLink');
export const getInitialLink = modular('getInitialLink');
export const onLink = modular('onLink');
export const performDiagnostics = modular('performDiagnostics');
export const resolveLink = modular('resolveLink');

export default Object.assign(getDynamicLinks, { ShortLinkType });

import { addressReader, fileAddress } from './addresses.ts';
import { createAppLinks, type LinkReceiver, type LinkSettings, type Opening } from './app-links.ts';
import type { FirebaseDynamicLinksTypes as Firebase } from './firebase-types.ts';
import { asker, attempt, openingOf } from './openings.ts';

/* The shape of `@react-native-firebase/dynamic-links` 22.4.0, for apps that were written for it. */

export type { LinkReceiver, LinkSettings } from './app-links.ts';
export type { FirebaseDynamicLinksTypes } from './firebase-types.ts';

let configured: { readonly settings: LinkSettings; readonly links: LinkReceiver } | undefined;

/** Sets the source of links; call it first. Later calls change nothing, because openings count once. */
export const configure = (settings: LinkSettings): LinkReceiver => {
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

/** Firebase's link of an opening; null if the link isn't live or not resolved yet. */
const dynamicLinkOf = ({ link, minVersion, campaign }: Opening): Firebase.DynamicLink | null => {
  if (link === null) return null;
  // Firebase's Android versions are numbers.
  const version = ready().settings.platform === 'android' ? Number(minVersion) : minVersion;
  return { url: link, minimumAppVersion: version || null, utmParameters: { ...campaign } };
};

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** Resolves a link without counting an open. */
const resolve = async (address: string): Promise<Firebase.DynamicLink> => {
  const { settings } = ready();
  const opened = addressReader(settings).parse(address);
  if (!opened) throw failure('not-found', `${address} isn't on ${settings.hosts}`);
  if ('link' in opened) return { url: opened.link, minimumAppVersion: null, utmParameters: {} };
  const { shortUrl } = opened;
  const answer = await asker(settings)(fileAddress(shortUrl, 'link.json'));
  const found = dynamicLinkOf(openingOf({ shortUrl, first: false }, answer, settings.platform));
  if (found) return found;
  throw answer === null
    ? failure('not-found', `${address} leads nowhere`)
    : failure('resolve-link-error', `No answer for ${address}`);
};

/** Prints the settings, and each host's association file for the platform. */
const diagnose = async ({ hosts, linkHosts, platform, fetch: given }: LinkSettings): Promise<void> => {
  console.log({ platform, hosts, linkHosts });
  const file = platform === 'ios' ? 'apple-app-site-association' : 'assetlinks.json';
  for (const host of hosts) {
    const address = `https://${host}/.well-known/${file}`;
    const content = await attempt(async () => (await (given ?? fetch)(address)).json());
    console.log(address, content);
  }
};

const links: Firebase.Module = {
  buildLink: refuseToBuild,
  buildShortLink: refuseToBuild,
  getInitialLink: async () => {
    const opening = await ready().links.initial();
    return opening && dynamicLinkOf(opening);
  },
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

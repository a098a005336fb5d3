import type { Visitor } from '../clicks/visitor.ts';
import type { Apps } from '../short-urls/app-settings.ts';
import { type Interstitial, interstitialOf, safariOfMac } from '../short-urls/interstitial.ts';
import { type Arrival, type Route, type RoutedLink, route, type Setting } from '../short-urls/routing.ts';
import { debugWords as text } from './debug-words.ts';
import { fill } from './words.ts';

const kinds: readonly { readonly name: string; readonly visitor: Visitor }[] = [
  { name: text.kinds.android, visitor: { kind: 'person', platform: 'android' } },
  { name: text.kinds.ios, visitor: { kind: 'person', platform: 'ios' } },
  { name: text.kinds.web, visitor: { kind: 'person', platform: 'web' } },
  { name: text.kinds.crawler, visitor: { kind: 'social-crawler', platform: 'web' } },
];

/** Where one kind of visitor goes and why, in words. */
export interface VisitorRoute {
  readonly name: string;
  readonly url: string | undefined;
  /** The host of the address, or a text in its place. */
  readonly target: string;
  readonly why: string;
}

interface Routed extends Omit<Arrival, 'visitor'> {
  readonly link: RoutedLink;
  /** The saved apps of all platforms. */
  readonly apps: Apps;
}

/** Where each kind of visitor of a live link would go. */
export const visitorRoutes = ({ link, apps, ...arrival }: Routed): VisitorRoute[] => {
  const usual = kinds.map(({ name, visitor }): VisitorRoute => {
    const page = interstitialOf(link, apps, { ...arrival, visitor, userAgent: '' });
    if (page) return { name, ...pageRow, why: offers(page, text.reasons.pageAlways) };
    const answer = route(link, apps, { ...arrival, visitor });
    return { name, ...describe(answer), why: reason(answer, apps, visitor) };
  });
  return link.payload.interstitial === 'auto' ? [...usual, ...failing({ link, apps, ...arrival })] : usual;
};

const pageRow = { url: undefined, target: text.interstitialPage };

const offers = ({ scenes }: Interstitial, why: string): string => {
  const urls = scenes.flatMap(({ ways }) => ways).filter(({ kind }) => kind === 'store' || kind === 'web');
  return fill(why, { hosts: [...new Set(urls.map(({ url }) => new URL(url).host))].join(', ') });
};

/** Visitors of a kind for which a redirect is known to fail, as far as the link has something for them. */
const failing = ({ link, apps, ...arrival }: Routed): VisitorRoute[] => {
  const samples = [
    {
      name: text.kinds.androidInApp,
      platform: 'android',
      userAgent: 'Instagram 1',
      why: text.reasons.pageInApp,
    },
    { name: text.kinds.iosInApp, platform: 'ios', userAgent: 'Instagram 1', why: text.reasons.pageInApp },
    { name: text.kinds.macOrIpad, platform: 'web', userAgent: safariOfMac, why: text.reasons.pageIpad },
  ] as const;
  return samples.flatMap(({ name, platform, userAgent, why }) => {
    const visitor = { kind: 'person', platform } as const;
    const page = interstitialOf(link, apps, { ...arrival, visitor, userAgent });
    return page ? [{ name, ...pageRow, why: offers(page, why) }] : [];
  });
};

const describe = (answer: Route): Pick<VisitorRoute, 'url' | 'target'> => {
  if (answer.kind === 'redirect') return { url: answer.url, target: new URL(answer.url).host };
  return { url: undefined, target: answer.kind === 'preview' ? text.previewPage : text.notFoundPage };
};

const reason = (answer: Route, apps: Apps, { kind, platform }: Visitor): string => {
  if (answer.kind === 'not-found') return text.reasons.nothing;
  if (answer.kind === 'preview') return text.reasons.preview;
  if (kind === 'social-crawler') return text.reasons.noPreview;
  return text.reasons[reasons[answer.setting][platform !== 'web' && apps[platform] ? 'app' : platform]];
};

type Reason = keyof typeof text.reasons;

/** By the setting that decided, and whether it is the link's or an app's. */
const reasons: Readonly<Record<Setting, Readonly<Record<'app' | 'ios' | 'android' | 'web', Reason>>>> =
  (() => {
    const always = (reason: Reason) => ({ app: reason, ios: reason, android: reason, web: reason });
    return {
      rule: always('rule'),
      'store-fallback': { ...always('linkFallback'), app: 'appFallback' },
      'store-id': { ...always('linkStore'), app: 'appStore' },
      'desktop-fallback': always('desktopFallback'),
      destination: { ...always('linkNoStore'), app: 'appNoStore', web: 'destination' },
    };
  })();

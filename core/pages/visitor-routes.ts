import { decisionName } from '../rules/decide.ts';
import type { Apps } from '../short-urls/app-settings.ts';
import { type Interstitial, interstitialOf, safariOfMac } from '../short-urls/interstitial.ts';
import { type Arrival, type Route, type RoutedLink, route, type Setting } from '../short-urls/routing.ts';
import type { Visitor } from '../visits/visitor.ts';
import { visitorKinds } from '../visits/visitor.ts';

/** A visitor's route in words: address and reason. */
interface DescribedRoute {
  readonly url: string | undefined;
  /** The address's host, or a text if there is none. */
  readonly target: string;
  readonly why: string;
}

export interface VisitorRoute extends DescribedRoute {
  readonly name: string;
}

/** A live link with the request for it. */
export interface Routed extends Omit<Arrival, 'visitor'> {
  readonly link: RoutedLink;
  /** The saved apps of all platforms. */
  readonly apps: Apps;
}

/** The route of each kind of visitor of a live link, without rules. */
export const visitorRoutes = (routed: Omit<Routed, 'decision'>): VisitorRoute[] => {
  const usual = Object.values(visitorKinds).map(({ name, visitor }) => ({
    name,
    ...describedRoute(routed, visitor),
  }));
  return routed.link.payload.interstitial === 'auto' ? [...usual, ...failing(routed)] : usual;
};

export const describedRoute = (
  { link, apps, ...arrival }: Routed,
  visitor: Visitor,
  userAgent = '',
): DescribedRoute => {
  const { decision } = arrival;
  const page = decision ? undefined : interstitialOf(link, apps, { ...arrival, visitor, userAgent });
  if (page) {
    const isAlways = link.payload.interstitial === 'always';
    return {
      ...pageRow,
      why: offers(
        page,
        isAlways ? 'The link always shows people an interstitial page. It leads to' : failsInApp,
      ),
    };
  }
  const answer = route(link, apps, { ...arrival, visitor });
  const why = decision ? `The rule ${decisionName(decision)} decides.` : reason(answer, apps, visitor);
  return { ...describe(answer), why };
};

const pageRow = { url: undefined, target: 'An interstitial page' };

const offers = ({ sections, destination }: Interstitial, why: string): string => {
  const buttons = sections.flatMap(({ buttons }) => buttons).filter(({ kind }) => kind !== 'app');
  // `browser` opens the destination.
  const hosts = buttons.map(({ kind, url }) => new URL(kind === 'browser' ? destination : url).host);
  return `${why} ${[...new Set(hosts)].join(', ')}.`;
};

const failsInApp = 'Redirects often fail there. The page leads to';
const maybeIpad = 'An iPad says it is a Mac. The page finds out and goes on at once, to';

/** A short user agent of an in-app browser in which redirects often fail. */
export const inInstagram = 'Instagram 1';

/** The routes of visitors for whom redirects are known to fail, if the link has a page for them. */
const failing = ({ link, apps, ...arrival }: Routed): VisitorRoute[] => {
  const samples = [
    ['Instagram & co, Android', 'android', inInstagram, failsInApp],
    ['Instagram & co, iPhone', 'ios', inInstagram, failsInApp],
    ['Safari: Mac or iPad', 'web', safariOfMac, maybeIpad],
  ] as const;
  return samples.flatMap(([name, platform, userAgent, why]) => {
    const visitor = { kind: 'person', platform } as const;
    const page = interstitialOf(link, apps, { ...arrival, visitor, userAgent });
    return page ? [{ name, ...pageRow, why: offers(page, why) }] : [];
  });
};

const describe = (answer: Route): Pick<DescribedRoute, 'url' | 'target'> => {
  if (answer.kind === 'redirect') return { url: answer.url, target: new URL(answer.url).host };
  return { url: undefined, target: answer.kind === 'preview' ? 'A preview page' : 'The “not found” page' };
};

/** Reasons by setting: for the link's own, for a saved app's, and on a desktop. */
const whys: Readonly<Record<Exclude<Setting, 'rule'>, { link: string; app?: string; desktop?: string }>> = {
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
};

const reason = (answer: Route, apps: Apps, { kind, platform }: Visitor): string => {
  if (answer.kind === 'not-found') return 'The link has no address that can be opened.';
  if (answer.kind === 'preview')
    return 'The link has a social preview. A person who taps the preview is routed by their device.';
  if (kind === 'social-crawler')
    return 'The link has no social preview, so a crawler is routed like a desktop browser.';
  // Without a decision, the setting is never `rule`.
  const why = whys[answer.setting as keyof typeof whys];
  return (platform === 'web' ? why.desktop : apps[platform] && why.app) ?? why.link;
};

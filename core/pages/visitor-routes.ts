import { nameOf } from '../rules/decide.ts';
import type { Apps } from '../short-urls/app-settings.ts';
import { type Interstitial, interstitialOf, safariOfMac } from '../short-urls/interstitial.ts';
import { type Arrival, type Route, type RoutedLink, route } from '../short-urls/routing.ts';
import type { Visitor } from '../visits/visitor.ts';
import { visitorKinds } from '../visits/visitor.ts';
import { debugWords as text, type WordsOfSetting } from './debug-words.ts';
import { fill } from './words.ts';

/** Where a visitor goes and why, in words. */
interface Way {
  readonly url: string | undefined;
  /** The host of the address, or a text in its place. */
  readonly target: string;
  readonly why: string;
}

/** The way of a kind of visitor. */
export interface VisitorRoute extends Way {
  readonly name: string;
}

interface Routed extends Omit<Arrival, 'visitor'> {
  readonly link: RoutedLink;
  /** The saved apps of all platforms. */
  readonly apps: Apps;
}

/** Where each kind of visitor of a live link would go, if no rule decides. */
export const visitorRoutes = ({ link, apps, ...arrival }: Omit<Routed, 'decision'>): VisitorRoute[] => {
  const usual = Object.values(visitorKinds).map(({ name, visitor }) => ({
    name,
    ...wayOf({ link, apps, ...arrival }, visitor),
  }));
  return link.payload.interstitial === 'auto' ? [...usual, ...failing({ link, apps, ...arrival })] : usual;
};

/** Where a visitor of a live link would go. */
export const wayOf = ({ link, apps, ...arrival }: Routed, visitor: Visitor): Way => {
  const { decision } = arrival;
  const page = decision ? undefined : interstitialOf(link, apps, { ...arrival, visitor, userAgent: '' });
  if (page) return { ...pageRow, why: offers(page, text.reasons.pageAlways) };
  const answer = route(link, apps, { ...arrival, visitor });
  const why = decision
    ? fill(text.settings.rule.link, { rule: nameOf(decision) })
    : reason(answer, apps, visitor);
  return { ...describe(answer), why };
};

const pageRow = { url: undefined, target: text.interstitialPage };

const offers = ({ scenes, destination }: Interstitial, why: string): string => {
  const ways = scenes.flatMap(({ ways }) => ways).filter(({ kind }) => kind !== 'app');
  // The phone's own browser opens the destination.
  const hosts = ways.map(({ kind, url }) => new URL(kind === 'browser' ? destination : url).host);
  return fill(why, { hosts: [...new Set(hosts)].join(', ') });
};

/** Visitors of a kind for which a redirect is known to fail, as far as the link has something for them. */
const failing = ({ link, apps, ...arrival }: Routed): VisitorRoute[] => {
  const samples = [
    ['androidInApp', 'android', 'Instagram 1', 'pageInApp'],
    ['iosInApp', 'ios', 'Instagram 1', 'pageInApp'],
    ['macOrIpad', 'web', safariOfMac, 'pageIpad'],
  ] as const;
  return samples.flatMap(([name, platform, userAgent, why]) => {
    const visitor = { kind: 'person', platform } as const;
    const page = interstitialOf(link, apps, { ...arrival, visitor, userAgent });
    return page ? [{ name: text.failing[name], ...pageRow, why: offers(page, text.reasons[why]) }] : [];
  });
};

const describe = (answer: Route): Pick<Way, 'url' | 'target'> => {
  if (answer.kind === 'redirect') return { url: answer.url, target: new URL(answer.url).host };
  return { url: undefined, target: answer.kind === 'preview' ? text.previewPage : text.notFoundPage };
};

const reason = (answer: Route, apps: Apps, { kind, platform }: Visitor): string => {
  if (answer.kind === 'not-found') return text.reasons.nothing;
  if (answer.kind === 'preview') return text.reasons.preview;
  if (kind === 'social-crawler') return text.reasons.noPreview;
  const why: WordsOfSetting = text.settings[answer.setting];
  return (platform === 'web' ? why.desktop : apps[platform] && why.app) ?? why.link;
};

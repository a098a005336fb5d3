import { isbot } from 'isbot';
import type { Platform } from '../base/platform.ts';
import { systemOf } from './client-software.ts';
import { isSocialCrawler } from './social-crawlers.ts';

/** The kind of client that follows a short URL. */
export interface Visitor {
  /** Bots have no platform: they are routed like a desktop browser. */
  readonly platform: Platform;
  readonly kind: 'person' | 'social-crawler' | 'bot';
}

/** A visitor of each kind that a link may send elsewhere, as the debug page and the console name them. */
export const visitorKinds = {
  android: { name: 'Android', visitor: { kind: 'person', platform: 'android' } },
  ios: { name: 'iPhone, iPad', visitor: { kind: 'person', platform: 'ios' } },
  desktop: { name: 'Desktop', visitor: { kind: 'person', platform: 'web' } },
  crawler: { name: 'Social crawler', visitor: { kind: 'social-crawler', platform: 'web' } },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly visitor: Visitor }>>;

export type VisitorKind = keyof typeof visitorKinds;

/** The kinds of visitors whom a link's rules and pages are for. */
export const peopleKinds = () =>
  (Object.keys(visitorKinds) as VisitorKind[]).filter((name) => visitorKinds[name].visitor.kind === 'person');

export const visitorOf = (userAgent: string): Visitor => {
  const kind = kindOf(userAgent);
  return { kind, platform: kind === 'person' ? platformOf(userAgent) : 'web' };
};

/** Browsers inside apps that isbot takes for crawlers. */
const mistakenForBots = /\b(AlipayClient|SogouMobileBrowser)\//;

// Every browser names itself with a version; anything else is a script or a scanner.
const namesItself = /\w\/v?\d/;

const kindOf = (userAgent: string): Visitor['kind'] => {
  if (isSocialCrawler(userAgent)) return 'social-crawler';
  if (!namesItself.test(userAgent)) return 'bot';
  return isbot(userAgent) && !mistakenForBots.test(userAgent) ? 'bot' : 'person';
};

const platformOf = (userAgent: string): Platform => {
  const system = systemOf(userAgent);
  return system === 'ios' || system === 'android' ? system : 'web';
};

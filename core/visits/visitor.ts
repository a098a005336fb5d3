import { isbot } from 'isbot';
import type { Platform } from '../base/platform.ts';
import { systemOf } from './client-software.ts';
import { isSocialCrawler } from './social-crawlers.ts';

/** The kind of client that follows a short URL. */
export interface Visitor {
  /** Bots have the platform `web`, so they are routed like desktop browsers. */
  readonly platform: Platform;
  readonly kind: 'person' | 'social-crawler' | 'bot';
}

/** Kinds of visitors that a link may send to different places, with their names on the debug page and in the console. */
export const visitorKinds = {
  android: { name: 'Android', visitor: { kind: 'person', platform: 'android' } },
  ios: { name: 'iPhone, iPad', visitor: { kind: 'person', platform: 'ios' } },
  desktop: { name: 'Desktop', visitor: { kind: 'person', platform: 'web' } },
  crawler: { name: 'Social crawler', visitor: { kind: 'social-crawler', platform: 'web' } },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly visitor: Visitor }>>;

export type VisitorKind = keyof typeof visitorKinds;

export const peopleKinds = () =>
  (Object.keys(visitorKinds) as VisitorKind[]).filter((name) => visitorKinds[name].visitor.kind === 'person');

export const visitorOf = (userAgent: string): Visitor => {
  const kind = kindOf(userAgent);
  const system = kind === 'person' ? systemOf(userAgent) : 'other';
  return { kind, platform: system === 'ios' || system === 'android' ? system : 'web' };
};

// Every browser states its name and version; anything else is a script or a scanner.
const namesItself = /\w\/v?\d/;

const kindOf = (userAgent: string): Visitor['kind'] => {
  if (isSocialCrawler(userAgent)) return 'social-crawler';
  return !namesItself.test(userAgent) || isBot(userAgent) ? 'bot' : 'person';
};

/** Phones, tablets and televisions. Crawlers that imitate one mostly add their own names later. */
const device =
  /^(?:(?:jd\w+;[^(]+)?Mozilla\/5\.0 \([^)]*\b(?:Android|iPhone|iPad|Linux arm)|Opera\/9\.80 |\[?FBAN\/)/;

/** Names of models and apps that contain crawlers' words (`bot`, `google`, `news` …); test/corpus/user-agents.tsv lists them. */
const harmless = new RegExp(
  // The model comes after Android's version. Catchpoint, a monitor, names itself there.
  String.raw`(?<=\bAndroid [\w.]+;(?: [a-z]{2}[-_][a-z]{2};)?) (?![^;)]*\b(?:Catchpoint|Robot)\b)[^;)]*|` +
    String.raw`\[?\bFBAN\/[^\]]*|\bInstagram [\d.]+ Android [^)]*|News[\w-]{0,20}[/ ]v?\d|\bSohuNews\b|` +
    String.raw`\b(?:AlipayDefined|TTID\/|baidu(?:boxapp|browser)\/|zhangbai\/)\S+|\bSogou(?:M|Search Android)\S*|` +
    String.raw`\b(?:imoAndroid\/.*|Process\/tools(?:mp)?\b|Google(?:Hypersonic|Lens\/|Wv\/)|air\.com\.)|` +
    String.raw`^jd\w+;[^(]+(?=Mozilla)|(?:\bgoogle_ios\/)?\bcom\.google\.\w+(?:\/|$)|` +
    String.raw`\b(?:CE-HTML\/1\.0;|Catcher[.\d]|Ask\.com Mobile|(?:Blue Proxy|ProxyFox)\/|om_sd_\w+)`,
  'gi',
);

const isBot = (userAgent: string): boolean =>
  isbot(userAgent) && !(device.test(userAgent) && !isbot(userAgent.replace(harmless, '')));

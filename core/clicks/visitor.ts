import { isbot } from 'isbot';
import { isSocialCrawler } from './social-crawlers.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHmac } = process.getBuiltinModule('node:crypto');

export type Platform = 'ios' | 'android' | 'web';

/** The kind of client that follows a short URL. */
export interface Visitor {
  /** Bots have no platform: they are routed like a desktop browser. */
  readonly platform: Platform;
  readonly kind: 'person' | 'social-crawler' | 'bot';
}

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

// Windows phones and e-readers name the systems that they imitate.
const imitation = /\bWindows (Phone|IoT|Mobile)\b/;
const appleHandheld = /(?<!like )\b(iPhone|iPad|iPod)\b/;
const android = /(?<!like )\bAndroid\b/;

const platformOf = (userAgent: string): Platform => {
  if (imitation.test(userAgent)) return 'web';
  if (appleHandheld.test(userAgent)) return 'ios';
  return android.test(userAgent) ? 'android' : 'web';
};

/** `203.0.113.7:4711` or `2001:db8::7:4711` as CloudFront sends it, without the port. */
export const addressOf = (viewerAddress: string): string => {
  const port = viewerAddress.lastIndexOf(':');
  return port < 0 ? viewerAddress : viewerAddress.slice(0, port);
};

/**
 * What stays of an address while its owner does: a household or a server has a /64 of IPv6 (its first four groups) and
 * picks the rest freely, so that one browser could pass for any number of visitors.
 */
const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  // An IPv4 address in IPv6 form, such as `::ffff:203.0.113.7`.
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [start = '', end] = address.split('::');
  const known = groupsOf(start);
  const left = end === undefined ? 0 : Math.max(0, 8 - known.length - groupsOf(end).length);
  const groups = [...known, ...Array<string>(left).fill('0'), ...groupsOf(end ?? '')];
  return groups.slice(0, 4).join(':');
};

/** Without the zeros that a group may begin with. */
const groupsOf = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16));

/**
 * A visitor's identity on one link: the same for the same address (or network of IPv6) and user agent, of no use without
 * the secret, and different on every link, so visitors can't be followed from link to link. No address is stored anywhere.
 */
export const visitorHash = (secret: string, visit: IdentifiedVisit): string =>
  keyedHash(secret, visit).subarray(0, 16).toString('base64url');

/**
 * A visitor's number for a rule of a link, 0 to 99, from nothing but the visit: the same as long as address, user agent
 * and the deployment's secret are. Nothing is stored or sent for it.
 */
export const visitorNumber = (secret: string, visit: IdentifiedVisit, rule: string): number =>
  keyedHash(secret, visit, rule).readUInt32BE() % 100;

interface IdentifiedVisit {
  readonly project: string;
  readonly code: string;
  readonly address: string;
  readonly userAgent: string;
}

const keyedHash = (
  secret: string,
  { project, code, address, userAgent }: IdentifiedVisit,
  ...more: readonly string[]
): Buffer =>
  createHmac('sha256', secret)
    .update([project, code, networkOf(address), userAgent, ...more].join('\n'))
    .digest();

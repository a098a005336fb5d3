import { appSettings } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import type { Platform } from '../base/platform.ts';
import { mergeQuery, pairName, queryPairs } from '../base/query.ts';
import type { IsBlocked } from '../destinations/takedowns.ts';
import { hostnameOf, webAddressFault } from '../destinations/web-address.ts';
import { campaignNames, campaignPairs } from '../links/campaign.ts';
import { type Link, statusAt } from '../links/link.ts';
import { type Decision, decisions, type RuleVisitor } from '../rules/decide.ts';
import type { Visitor } from '../visits/visitor.ts';
import { type Apps, appOf } from './app-settings.ts';

/** The part of a link that routing needs. */
export interface RoutedLink
  extends Pick<Link, 'status' | 'expiresAt' | 'payload' | 'blockedAt' | 'groups' | 'tags'> {
  /** The hosts that operators block, if there are any. */
  readonly isBlocked?: IsBlocked | undefined;
}

/** The parts of a request that decide where a visitor goes. */
export interface Arrival {
  readonly visitor: Visitor;
  /** The short URL that was opened, without its query. */
  readonly shortUrl: string;
  /** As it was sent, without the question mark and the service's own parameters. */
  readonly query: string;
  readonly now: Date;
  /** The link's rule that decides for the visitor (`ruleFor`), where rules count. */
  readonly decision?: Decision | undefined;
}

/** What a visitor gets, and for a redirect by which of the link's settings. */
export type Route =
  | { readonly kind: 'redirect'; readonly url: string; readonly setting: Setting }
  | { readonly kind: 'preview'; readonly url: string; readonly preview: Preview }
  | { readonly kind: 'not-found' };

/** What may decide where a redirect goes, and whether that is an app's store page; a rule's address says it itself. */
const isStores = {
  rule: undefined,
  'store-fallback': true,
  'store-id': true,
  'desktop-fallback': false,
  destination: false,
} as const satisfies Readonly<Record<string, boolean | undefined>>;
export type Setting = keyof typeof isStores;

/** What a social network shows of a link; there is at least one field. */
export type Preview = { readonly [Part in 'title' | 'description' | 'image']?: string | undefined };

/** Where the stores have an app's page, but for its id. */
const stores = {
  android: 'https://play.google.com/store/apps/details?id=',
  ios: 'https://apps.apple.com/app/id',
};

/**
 * Decides what a visitor of a link gets. Skips addresses that couldn't be stored today or that lead back to
 * the requested host, and takes the next best one. Finds nothing if none is left, or if the visit would go to
 * a blocked host. Addresses are returned in ASCII, as headers need them.
 */
export const route = (
  link: RoutedLink,
  apps: Apps,
  { visitor, shortUrl, query, now, decision }: Arrival,
): Route => {
  if (statusAt(link, now) !== 'ACTIVE') return { kind: 'not-found' };
  for (const [setting, address] of candidates(link, apps, { visitor, decision })) {
    const url = address ? followable(address, shortUrl) : undefined;
    if (!url) continue;
    if (link.isBlocked?.(url.hostname)) return { kind: 'not-found' };
    addParameters(url, { setting, link, shortUrl, query });
    const isCrawler = visitor.kind === 'social-crawler';
    if (isCrawler && showsBlocked(link)) return { kind: 'not-found' };
    const preview = isCrawler ? previewOf(link) : undefined;
    return preview
      ? { kind: 'preview', url: url.href, preview }
      : { kind: 'redirect', url: url.href, setting };
  }
  return { kind: 'not-found' };
};

/**
 * The rule of a link that decides for a visitor: the first that holds and whose address may be followed. None keeps a
 * preview from social networks.
 */
export const ruleFor = (link: RoutedLink, visitor: RuleVisitor, shortUrl: string): Decision | undefined => {
  const { rules } = link.payload;
  if (!rules || (visitor.visitor.kind === 'social-crawler' && previewOf(link))) return undefined;
  return decisions(rules, visitor).find((one) => followable(one.link, shortUrl) !== undefined);
};

/** Where the destination is, with all parameters: what a desktop browser gets of a link without a desktop fallback. */
export const destinationOf = (link: RoutedLink, arrival: Omit<Arrival, 'visitor'>): string | undefined => {
  const payload = { ...link.payload, desktop_fallback: undefined };
  const visitor = { kind: 'person', platform: 'web' } as const;
  const answer = route({ ...link, payload }, {}, { ...arrival, visitor });
  return answer.kind === 'redirect' ? answer.url : undefined;
};

/** Whether a visitor finds something whatever a saved app says of the way. */
export const leadsAnyway = (link: RoutedLink, arrival: Arrival): boolean => {
  if (arrival.visitor.platform === 'web') return route(link, {}, arrival).kind !== 'not-found';
  return !link.isBlocked && destinationOf(link, arrival) !== undefined;
};

/** The id of the saved app that decides for a platform, if the link names one. */
export const savedAppId = ({ payload }: RoutedLink, platform: Platform): string | undefined => {
  if (platform === 'web') return undefined;
  return payload[appSettings[platform].appId] || undefined;
};

type Candidate = readonly [setting: Setting, address: string | null | undefined];

const candidates = (
  { payload }: RoutedLink,
  apps: Apps,
  { visitor: { platform }, decision }: Pick<Arrival, 'visitor' | 'decision'>,
): Candidate[] => {
  if (decision) return [['rule', decision.link]];
  const destination: Candidate = ['destination', payload.link];
  if (platform === 'web') {
    return [['desktop-fallback', payload.desktop_fallback], destination];
  }
  const { storeFallback, storeId } = appOf(platform, payload, apps);
  return [
    ['store-fallback', storeFallback],
    ['store-id', storeId && stores[platform] + encoded(storeId)],
    destination,
  ];
};

// Half a character pair, which JSON can carry, can't be encoded otherwise.
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Checks by the whole rule for stored addresses: later rules apply to addresses stored before. */
const openable = (address: string): URL | undefined =>
  webAddressFault(address) === undefined ? new URL(address) : undefined;

/** An address as a visitor of this short URL may follow it: not back to the host that was asked. */
const followable = (address: string, shortUrl: string): URL | undefined => {
  const url = openable(address);
  return url && hostnameOf(url) !== hostnameOf(new URL(shortUrl)) ? url : undefined;
};

/** Whether the picture of a link's preview is on a host that is blocked. */
const showsBlocked = ({ payload: { social }, isBlocked }: RoutedLink): boolean => {
  const image = social?.image ? openable(social.image) : undefined;
  return (image && isBlocked?.(image.hostname)) ?? false;
};

/** An app's page on Google Play, the only kind that passes a referrer on. */
const isPlayStore = ({ hostname, pathname }: URL) =>
  hostname === 'play.google.com' && /^\/store\/apps\/details\/?$/.test(pathname);

/** Stores' pages; as a rule's address they are treated like a store fallback. */
const storeHosts: ReadonlySet<string> = new Set(['play.google.com', 'apps.apple.com', 'itunes.apple.com']);

/** Whether a setting led to a store's page, which stays as it is; all others are the owner's. */
export const leadsToStore = (setting: Setting, url: URL): boolean =>
  isStores[setting] ?? storeHosts.has(hostnameOf(url));

interface Additions extends Pick<Arrival, 'shortUrl' | 'query'> {
  readonly setting: Setting;
  readonly link: RoutedLink;
}

/**
 * Adds the campaign and the request's parameters. The customer's pages get both, and the request overrides
 * the link. Google Play passes `referrer` on to the app that it installs; other stores' addresses don't
 * change.
 */
const addParameters = (url: URL, { setting, link, shortUrl, query }: Additions): void => {
  const arriving = queryPairs(query);
  const campaign = campaignPairs(link.payload.campaign);
  const isOwnPage = !leadsToStore(setting, url);
  if (isPlayStore(url)) {
    const referrer = mergeQuery(campaign, arriving.filter(isCampaign));
    addReferrer(url, [...referrer, `deepLink=${encoded(openedUrl(shortUrl, query))}`]);
  } else if (isOwnPage) setQuery(url, campaign);
  if (isOwnPage) setQuery(url, admitted(arriving, url, link));
};

/** The arriving parameters that a link lets through to its owner's pages. */
const admitted = (arriving: readonly string[], url: URL, { payload }: RoutedLink): readonly string[] => {
  if (payload.query === 'ignore') return [];
  if (payload.query !== 'append') return arriving;
  const names = new Set(queryPairs(url.search.slice(1)).map(pairName));
  return arriving.filter((pair) => !names.has(pairName(pair)));
};

/**
 * The short URL as it was opened. A query that is longer than any address of a link stays out: encoded twice, it
 * would outgrow a header.
 */
export const openedUrl = (shortUrl: string, query: string): string =>
  query === '' || query.length > limits.url ? shortUrl : `${shortUrl}?${query}`;

/** A link's campaign, as far as it is set. */
export const campaignOf = ({ payload: { campaign } }: RoutedLink): Record<string, string> =>
  Object.fromEntries(campaignNames.flatMap((name) => (campaign?.[name] ? [[name, campaign[name]]] : [])));

const campaignParameters: ReadonlySet<string> = new Set(campaignNames);

const isCampaign = (pair: string): boolean => campaignParameters.has(pairName(pair));

const addReferrer = (url: URL, pairs: readonly string[]): void => {
  if (!url.searchParams.has('referrer')) setQuery(url, [`referrer=${encoded(pairs.join('&'))}`]);
};

// By hand: `searchParams.set` would rewrite the whole query, and customers' addresses must stay as they are.
const setQuery = (url: URL, pairs: readonly string[]): void => {
  if (pairs.length > 0) url.search = mergeQuery(queryPairs(url.search.slice(1)), pairs).join('&');
};

/** What social networks are to show of a link; nothing where it says nothing that they can show. */
export const previewOf = (link: RoutedLink): Preview | undefined => {
  const { social } = link.payload;
  const title = social?.title?.trim() || undefined;
  const description = social?.description?.trim() || undefined;
  const image = (!showsBlocked(link) && social?.image && openable(social.image)?.href) || undefined;
  return title || description || image ? { title, description, image } : undefined;
};

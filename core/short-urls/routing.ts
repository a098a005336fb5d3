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
  extends Pick<Link, 'status' | 'expiresAt' | 'payload' | 'blockedAt' | 'groups' | 'tags' | 'shareKey'> {
  /** Tests for blocked destinations; undefined if there are none. */
  readonly isBlocked?: IsBlocked | undefined;
}

/** The parts of a request that decide where a visitor goes. */
export interface Arrival {
  readonly visitor: Visitor;
  /** The short URL that was opened, without its query. */
  readonly shortUrl: string;
  /** The query as sent, without the question mark and the service's own parameters. */
  readonly query: string;
  readonly now: Date;
  /** The decision of the link's rules for the visitor (`ruleFor`), if rules apply. */
  readonly decision?: Decision | undefined;
}

/** A visitor's result. For a redirect, with the setting that decided. */
export type Route =
  | { readonly kind: 'redirect'; readonly url: string; readonly setting: Setting }
  | { readonly kind: 'preview'; readonly url: string; readonly preview: Preview }
  | { readonly kind: 'not-found' };

/** Settings that may decide a redirect, and whether each leads to an app's store page; for rules, it depends on the address. */
const isStores = {
  rule: undefined,
  'store-fallback': true,
  'store-id': true,
  'desktop-fallback': false,
  destination: false,
} as const satisfies Readonly<Record<string, boolean | undefined>>;
export type Setting = keyof typeof isStores;

/** A link's preview on social networks, with at least one field. */
export type Preview = { readonly [Part in 'title' | 'description' | 'image']?: string | undefined };

/** Addresses of apps' store pages without the id. */
const stores = {
  android: 'https://play.google.com/store/apps/details?id=',
  ios: 'https://apps.apple.com/app/id',
};

/**
 * Routes a visitor of a link to the best address, skipping those that couldn't be stored today or that lead back to the
 * requested host. Resolves to `not-found` if none is left, or if the visit would go to a blocked host. Addresses are in
 * ASCII, as headers require.
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
 * The decision of a link's rules for a visitor: the first that matches with an address that may be followed. Social
 * networks get the preview, if there is one, whatever the rules.
 */
export const ruleFor = (link: RoutedLink, visitor: RuleVisitor, shortUrl: string): Decision | undefined => {
  const { rules } = link.payload;
  if (!rules || (visitor.visitor.kind === 'social-crawler' && previewOf(link))) return undefined;
  return decisions(rules, visitor).find((one) => followable(one.link, shortUrl) !== undefined);
};

/** The destination with all parameters, as a desktop browser gets it without a desktop fallback. */
export const destinationOf = (link: RoutedLink, arrival: Omit<Arrival, 'visitor'>): string | undefined => {
  const payload = { ...link.payload, desktop_fallback: undefined };
  const visitor = { kind: 'person', platform: 'web' } as const;
  const answer = route({ ...link, payload }, {}, { ...arrival, visitor });
  return answer.kind === 'redirect' ? answer.url : undefined;
};

/** Whether a visitor gets a result whatever the saved apps' settings are. */
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

// Lone surrogates, which JSON allows, make `encodeURIComponent` throw.
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Applies today's rules for stored addresses, even to older ones. */
const openable = (address: string): URL | undefined =>
  webAddressFault(address) === undefined ? new URL(address) : undefined;

/** An address, if a visitor may follow it: not back to the requested host. */
const followable = (address: string, shortUrl: string): URL | undefined => {
  const url = openable(address);
  return url && hostnameOf(url) !== hostnameOf(new URL(shortUrl)) ? url : undefined;
};

/** Whether the preview's image is on a blocked host. */
const showsBlocked = ({ payload: { social }, isBlocked }: RoutedLink): boolean => {
  const image = social?.image ? openable(social.image) : undefined;
  return (image && isBlocked?.(image.hostname)) ?? false;
};

/** An app's page on Google Play, the only store that passes on a referrer. */
const isPlayStore = ({ hostname, pathname }: URL) =>
  hostname === 'play.google.com' && /^\/store\/apps\/details\/?$/.test(pathname);

/** Hosts of stores; a rule's address on them is treated like a store fallback. */
const storeHosts: ReadonlySet<string> = new Set(['play.google.com', 'apps.apple.com', 'itunes.apple.com']);

/** Whether a redirect leads to a store's page, which gets no parameters. */
export const leadsToStore = (setting: Setting, url: URL): boolean =>
  isStores[setting] ?? storeHosts.has(hostnameOf(url));

interface Additions extends Pick<Arrival, 'shortUrl' | 'query'> {
  readonly setting: Setting;
  readonly link: RoutedLink;
}

/**
 * Adds the campaign and the request's parameters. The owner's pages get both, and the request overrides the link.
 * Google Play passes `referrer` on to the installed app; other stores' addresses don't change.
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

/** The arriving parameters that a link passes on to its owner's pages. */
const admitted = (arriving: readonly string[], url: URL, { payload }: RoutedLink): readonly string[] => {
  if (payload.query === 'ignore') return [];
  if (payload.query !== 'append') return arriving;
  const names = new Set(queryPairs(url.search.slice(1)).map(pairName));
  return arriving.filter((pair) => !names.has(pairName(pair)));
};

/**
 * The short URL as it was opened. A query over the limit for addresses is left out, because encoded twice it wouldn't
 * fit in a header.
 */
export const openedUrl = (shortUrl: string, query: string): string =>
  query === '' || query.length > limits.url ? shortUrl : `${shortUrl}?${query}`;

/** The set fields of a link's campaign. */
export const campaignOf = ({ payload: { campaign } }: RoutedLink): Record<string, string> =>
  Object.fromEntries(campaignNames.flatMap((name) => (campaign?.[name] ? [[name, campaign[name]]] : [])));

const campaignParameters: ReadonlySet<string> = new Set(campaignNames);

const isCampaign = (pair: string): boolean => campaignParameters.has(pairName(pair));

const addReferrer = (url: URL, pairs: readonly string[]): void => {
  if (!url.searchParams.has('referrer')) setQuery(url, [`referrer=${encoded(pairs.join('&'))}`]);
};

// `searchParams.set` would rewrite the whole query, but owners' addresses must stay as they are.
const setQuery = (url: URL, pairs: readonly string[]): void => {
  if (pairs.length > 0) url.search = mergeQuery(queryPairs(url.search.slice(1)), pairs).join('&');
};

/** A link's preview for social networks; undefined if it has none that can be shown. */
export const previewOf = (link: RoutedLink): Preview | undefined => {
  const { social } = link.payload;
  const title = social?.title?.trim() || undefined;
  const description = social?.description?.trim() || undefined;
  const image = (!showsBlocked(link) && social?.image && openable(social.image)?.href) || undefined;
  return title || description || image ? { title, description, image } : undefined;
};

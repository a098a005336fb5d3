import { limits } from '../base/limits.ts';
import { pairName, pairValue, queryPairs } from '../base/query.ts';
import { type Arrival, destinationOf, type RoutedLink } from './routing.ts';

type Arriving = Omit<Arrival, 'visitor' | 'decision'>;

/** The name in analytics for names that can't be shown. */
const unshown = 'other';
/** Control characters, and marks that change the text's direction. */
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const nameIn = (pairs: readonly string[], parameter: string): string | undefined => {
  const pair = pairs.find((one) => pairName(one) === parameter);
  const name = pair && pairValue(pair)?.trim();
  if (name === '' || pair === undefined) return undefined;
  const isShown = name && Buffer.byteLength(name) <= limits.clickedNameBytes && !unshowable.test(name);
  return isShown ? name : unshown;
};

const namesOf = (link: RoutedLink, { shortUrl, query, now }: Arriving) => {
  const destination = destinationOf(link, { shortUrl, query, now });
  const pairs = destination === undefined ? [] : queryPairs(new URL(destination).search.slice(1));
  return { campaign: nameIn(pairs, 'utm_campaign'), source: nameIn(pairs, 'utm_source') };
};

/**
 * A click's campaign and source, from the address that `link.json` returns, wherever the visitor went. `own` leaves out
 * the visit's own parameters.
 */
export const clickedCampaign = (link: RoutedLink, arriving: Arriving) => {
  const names = namesOf(link, arriving);
  return { ...names, own: arriving.query === '' ? names : namesOf(link, { ...arriving, query: '' }) };
};

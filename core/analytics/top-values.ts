import { type Amounts, Tally } from './amounts.ts';
import { groupPrefixes, limitOf, nameLimits } from './analytics.ts';

/** Number of previous days that make a referrer established. */
export const establishingDays = 7;

const referrers = nameLimits.find(({ prefix }) => prefix === groupPrefixes.referrers);
const isReferrer = (name: string): boolean => limitOf(name) === referrers;

/** Whether there are more referrers than places. */
export const isCrowded = (names: Iterable<string>): boolean =>
  new Set([...names].filter(isReferrer)).size > (referrers?.most ?? 0);

/** The most established referrers: fewer than a day's places, so that new ones get some. */
const most = 20;

/**
 * The referrers with the most clicks on the days before a day. They always have a place, so that invented ones can't
 * displace them.
 */
export const establishedReferrers = (
  day: number,
  days: ReadonlyMap<number, Amounts>,
): ReadonlySet<string> => {
  const clicks = new Tally();
  for (const [past, amounts] of days) {
    if (past < day - establishingDays || past >= day) continue;
    for (const [name, n] of amounts) clicks.add(name, n);
  }
  return new Set(busiest(clicks, isReferrer).slice(0, most));
};

/** Amounts with the busiest names up to an item's limits, established ones first; the rest counts as others. */
export const busiestOf = (amounts: Amounts, established: ReadonlySet<string>): Amounts => {
  const kept = new Tally(amounts);
  for (const limit of nameLimits) {
    const named = busiest(amounts, (name) => limitOf(name) === limit);
    const inOrder = new Set([...named.filter((name) => established.has(name)), ...named]);
    for (const name of [...inOrder].slice(limit.most)) {
      kept.delete(name);
      kept.add(limit.others, amounts.get(name) ?? 0);
    }
  }
  return kept;
};

/** Names by descending clicks. */
export const busiest = (amounts: Amounts, isAsked: (name: string) => boolean): string[] =>
  [...amounts.keys()]
    .filter(isAsked)
    .sort((a, b) => (amounts.get(b) ?? 0) - (amounts.get(a) ?? 0) || (a < b ? -1 : 1));

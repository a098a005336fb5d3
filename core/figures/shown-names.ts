import { type Amounts, Counts } from './amounts.ts';
import { groupPrefixes, nameLimits } from './figures.ts';

/** Days back in which a referrer may have become known. */
export const establishingDays = 7;

/** Fewer than a day names, so that new ones find room, too. */
const most = 20;

export const isReferrer = (name: string): boolean => name.startsWith(groupPrefixes.referrers);

/**
 * The referrers with the most clicks on the days before a day. It names them in any case, so that nobody can hide them
 * behind invented ones.
 */
export const establishedReferrers = (
  day: number,
  days: ReadonlyMap<number, Amounts>,
): ReadonlySet<string> => {
  const clicks = new Map<string, number>();
  for (const [past, amounts] of days) {
    if (past < day - establishingDays || past >= day) continue;
    for (const [name, n] of amounts) if (isReferrer(name)) clicks.set(name, (clicks.get(name) ?? 0) + n);
  }
  clicks.delete(`${groupPrefixes.referrers}other`);
  const busiest = [...clicks].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return new Set(busiest.slice(0, most).map(([name]) => name));
};

/** The names with the most clicks, as many as an item may have, established ones first; the rest as others. */
export const busiestOf = (amounts: Amounts, established: ReadonlySet<string>): Amounts => {
  const kept = new Counts(amounts);
  const rankOf = (name: string) => (established.has(name) ? 0 : 1);
  for (const { prefix, most, beyond } of nameLimits) {
    const others = prefix + beyond;
    const named = [...amounts].filter(([name]) => name.startsWith(prefix) && name !== others);
    named.sort(([a, one], [b, other]) => rankOf(a) - rankOf(b) || other - one || (a < b ? -1 : 1));
    for (const [name, amount] of named.slice(most)) {
      kept.delete(name);
      kept.add(others, amount);
    }
  }
  return kept;
};

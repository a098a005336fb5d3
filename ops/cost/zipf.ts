import { monthSeconds } from './inputs.ts';
import type { LinkGroup } from './traffic.ts';

/**
 * A month's visits by Zipf's law: the second link has half of the first one's, the third a third. Links are grouped by
 * powers of two of their ranks.
 */
export const visitsByRank = (visits: number, links: number): LinkGroup[] => {
  const groups: { links: number; share: number }[] = [];
  for (let first = 1; first <= links; first *= 2) {
    const end = Math.min(2 * first, links + 1);
    let share = 0;
    for (let rank = first; rank < end; rank += 1) share += 1 / rank;
    groups.push({ links: end - first, share });
  }
  const all = groups.reduce((sum, { share }) => sum + share, 0);
  return groups.map(({ links: some, share }) => ({
    links: some,
    clicksAnHour: (visits * share * 3600) / all / some / monthSeconds,
  }));
};

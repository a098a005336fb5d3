import { analyticsNames, groupPrefixes } from '../../core/analytics/analytics.ts';
import { analyticsKey, dayKey, excludedPrefix, hourKey } from '../../core/table/analytics-keys.ts';
import type { Key } from '../../core/table/keys.ts';
import { fillTable, type TableAccess } from './fill-table.ts';

const dayMs = 86_400_000;

/** The distribution of a day's clicks; the shares of each group add up to one. */
const shares = {
  platforms: { ios: 0.45, android: 0.35, web: 0.2 },
  countries: { DE: 0.4, FR: 0.2, US: 0.15, JP: 0.1, BR: 0.1, other: 0.05 },
  referrers: { direct: 0.5, 'instagram.com': 0.25, 'news.example.com': 0.15, other: 0.1 },
  browsers: { safari: 0.45, chrome: 0.4, instagram: 0.1, firefox: 0.05 },
  os: { ios: 0.45, android: 0.35, macos: 0.1, windows: 0.1 },
  triggers: { link: 0.8, qr: 0.2 },
  campaigns: {
    Summer: 0.7,
    'sommer-schlussverkauf-mit-sehr-langem-namen-auf-allen-plakaten-1': 0.2,
    other: 0.1,
  },
  sources: { newsletter: 0.8, direct: 0.2 },
} as const;

/** Clicks of a day, `i` days into the year: more from week to week, fewer at weekends. */
const clicksOn = (day: number, i: number): number => {
  const weekday = new Date(day * dayMs).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  return Math.round((40 + ((day * 7919) % 23) + i / 4) * (isWeekend ? 0.55 : 1));
};

/** Writes the analytics of a year of clicks on one link, up to now. Resolves to the number of clicks. */
export const writeYearOfClicks = async (
  table: TableAccess,
  { project, code }: { readonly project: string; readonly code: string },
): Promise<number> => {
  const today = Math.floor(Date.now() / dayMs);
  const days = Array.from({ length: 365 }, (_, i) => today - 364 + i);
  const items: object[] = days.flatMap((day, i) => {
    const analytics = analyticsOf(clicksOn(day, i));
    const byLink = { [groupPrefixes.links + code]: clicksOn(day, i) };
    const ofProject = { ...analytics, [`${groupPrefixes.tags}sale`]: clicksOn(day, i) };
    if (day === today)
      return [
        { ...hourKey({ project, code }, day * 24, 0), ...analytics },
        { ...hourKey({ project }, day * 24, 0), ...ofProject, ...byLink },
      ];
    return [
      { ...dayKey('day', { project, code }, day), ...analytics },
      { ...dayKey('day', { project }, day), ...ofProject },
      { ...dayKey('dayByLink', { project }, day), ...byLink },
    ];
  });
  const total = days.reduce((sum, day, i) => sum + clicksOn(day, i), 0);
  items.push({ ...totalOf(analyticsKey({ project, code }), total), [analyticsNames.closed]: today });
  items.push({ ...analyticsKey({ project }), [analyticsNames.closed]: today });
  await fillTable(table, items);
  return total;
};

const analyticsOf = (clicks: number): Record<string, number> => {
  const analytics: Record<string, number> = {
    [analyticsNames.clicks]: clicks,
    [analyticsNames.uniques]: Math.round(clicks * 0.7),
    [analyticsNames.opens]: Math.round(clicks * 0.2),
    [analyticsNames.firstOpens]: Math.round(clicks * 0.05),
  };
  for (const [group, parts] of Object.entries(shares)) {
    Object.assign(analytics, spread(groupPrefixes[group as keyof typeof shares], parts, clicks));
  }
  return analytics;
};

/** Whole clicks by name; the first name gets the rounding remainder. */
const spread = (prefix: string, parts: Readonly<Record<string, number>>, clicks: number) => {
  const [first = '', ...others] = Object.keys(parts);
  const counts = others.map((name) => [prefix + name, Math.floor(clicks * (parts[name] ?? 0))] as const);
  const rest = clicks - counts.reduce((sum, [, count]) => sum + count, 0);
  return Object.fromEntries([[prefix + first, rest], ...counts]);
};

const totalOf = (key: Key, clicks: number) => ({
  ...key,
  [analyticsNames.clicks]: clicks,
  [analyticsNames.uniques]: Math.round(clicks * 0.7),
  ...spread(groupPrefixes.platforms, shares.platforms, clicks),
  ...spread(groupPrefixes.countries, shares.countries, clicks),
  [`${excludedPrefix}bot`]: 412,
  [`${excludedPrefix}social-crawler`]: 96,
  [`${excludedPrefix}prefetch`]: 31,
});

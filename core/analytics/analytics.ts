import { excludedPrefix } from '../table/analytics-keys.ts';
import type { Item } from '../table/table.ts';
import { dimensionList, eachDimension } from './dimensions.ts';

/** Attributes of items with analytics. They are flat, because DynamoDB adds only to top-level numbers. */
export const analyticsNames = {
  clicks: 'n',
  uniques: 'u',
  opens: 'e',
  firstOpens: 'f',
  watermarkPrefix: 'w',
  /** The boundary of closed days, the one before, and the time of the change. */
  closed: 'd',
  closedBefore: 'p',
  closedAt: 'a',
  /** Number of clicks and opens in a day's sum. */
  seen: 'v',
} as const;

/** Prefixes of groups of clicks: dimensions, and a project's links and tags. */
export const groupPrefixes = { ...eachDimension(({ prefix }) => prefix), links: 'l#', tags: 'h#' };

export type Group = keyof typeof groupPrefixes;

const ownPrefixes: { readonly [Name in Group]?: string | undefined } = eachDimension(
  ({ ownPrefix }) => ownPrefix,
);

/** All prefixes of a group: a link's own names have another one. */
export const prefixesOf = (group: Group): readonly string[] =>
  [groupPrefixes[group], ownPrefixes[group]].filter((prefix) => prefix !== undefined);

/** The name for links and tags without a place in an item. No link or tag has it. */
export const unnamed = '~';

/** Limits of names in an item, because visitors can invent any number; the rest counts under one name. */
export const nameLimits = [
  ...dimensionList.flatMap(({ prefix, ownPrefix, most }) =>
    most === undefined
      ? []
      : [prefix, ownPrefix].flatMap((one) => (one ? [{ prefix: one, most, others: `${prefix}other` }] : [])),
  ),
  { prefix: groupPrefixes.tags, most: 100, others: groupPrefixes.tags + unnamed },
  { prefix: groupPrefixes.links, most: 250, others: groupPrefixes.links + unnamed },
];

const limits = new Map(nameLimits.map((limit) => [limit.prefix, limit]));

/** The limit for a name, if any. */
export const limitOf = (name: string): (typeof nameLimits)[number] | undefined => {
  const limit = limits.get(name.slice(0, 2));
  return name === limit?.others ? undefined : limit;
};

/** A link's totals, summed over its items, which may be none. */
export const analyticsOf = (...items: readonly (Item | undefined)[]) => ({
  clicks: sumOf(items, analyticsNames.clicks),
  uniques: sumOf(items, analyticsNames.uniques),
  platforms: sumsByName(items, groupPrefixes.platforms),
  countries: sumsByName(items, groupPrefixes.countries),
});

export type Analytics = ReturnType<typeof analyticsOf>;

/** Excluded visits by reason, summed over items. */
export const excludedOf = (...items: readonly (Item | undefined)[]): Record<string, number> =>
  sumsByName(items, excludedPrefix);

const sumOf = (items: readonly (Item | undefined)[], name: string): number =>
  items.reduce((sum, item) => sum + Number(item?.[name] ?? 0), 0);

const sumsByName = (items: readonly (Item | undefined)[], prefix: string): Record<string, number> => {
  const names = new Set(items.flatMap((item) => Object.keys(namesOf(item ?? {}, prefix))));
  return Object.fromEntries([...names].map((name) => [name, sumOf(items, prefix + name)]));
};

const namesOf = (item: Item, prefix: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), Number(value)]),
  );

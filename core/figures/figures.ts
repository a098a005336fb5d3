import { excludedPrefix } from '../table/figure-keys.ts';
import type { Item } from '../table/table.ts';
import { eachSplit, splitList } from './splits.ts';

/** Attributes of items with figures. They are flat, because DynamoDB adds to top-level numbers only. */
export const figureNames = {
  clicks: 'n',
  uniques: 'u',
  opens: 'e',
  firstOpens: 'f',
  /** How far a shard is counted. */
  watermarkPrefix: 'w',
  /** Before which day an owner's days have items of their own, before which one they had before, and when that changed. */
  closed: 'd',
  closedBefore: 'p',
  closedAt: 'a',
  /** How many clicks and opens the sum of a day has seen. */
  seen: 'v',
} as const;

/** The prefixes of what clicks are grouped by: their splits, and a project's links. */
export const groupPrefixes = { ...eachSplit(({ prefix }) => prefix), links: 'l#' };

export type Group = keyof typeof groupPrefixes;

/** Stands for the links that a project's day doesn't name. No link has this code. */
export const unnamedLinks = '~';

/** Names that come from outside are unlimited, so an item holds a limited number; the rest counts under one name. */
export const nameLimits = [
  ...splitList.flatMap(({ prefix, most }) =>
    most === undefined ? [] : [{ prefix, most, others: `${prefix}other` }],
  ),
  { prefix: groupPrefixes.links, most: 250, others: groupPrefixes.links + unnamedLinks },
];

/** The limit that a name falls under, if any. */
export const limitOf = (name: string): (typeof nameLimits)[number] | undefined =>
  nameLimits.find(({ prefix, others }) => name.startsWith(prefix) && name !== others);

/** A link's counters, of all these items together: clicks of people, never of crawlers. A link without clicks has none yet. */
export const figuresOf = (...items: readonly (Item | undefined)[]) => ({
  clicks: sumOf(items, figureNames.clicks),
  uniques: sumOf(items, figureNames.uniques),
  platforms: sumsByName(items, groupPrefixes.platforms),
  countries: sumsByName(items, groupPrefixes.countries),
});

export type Figures = ReturnType<typeof figuresOf>;

/** Excluded visits by reason, of all these items together. */
export const excludedOf = (...items: readonly (Item | undefined)[]): Record<string, number> =>
  sumsByName(items, excludedPrefix);

const sumOf = (items: readonly (Item | undefined)[], name: string): number =>
  items.reduce((sum, item) => sum + Number(item?.[name] ?? 0), 0);

const sumsByName = (items: readonly (Item | undefined)[], prefix: string): Record<string, number> => {
  const names = new Set(items.flatMap((item) => Object.keys(namesOf(item ?? {}, prefix))));
  return Object.fromEntries([...names].map((name) => [name, sumOf(items, prefix + name)]));
};

/** The attributes of an item with a prefix, by name. */
export const namesOf = (item: Item, prefix: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), Number(value)]),
  );

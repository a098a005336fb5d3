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

/** The prefixes of what clicks are grouped by: their splits, and a project's links and their tags. */
export const groupPrefixes = { ...eachSplit(({ prefix }) => prefix), links: 'l#', tags: 'h#' };

export type Group = keyof typeof groupPrefixes;

const ownPrefixes: { readonly [Name in Group]?: string | undefined } = eachSplit(
  ({ ownPrefix }) => ownPrefix,
);

/** All prefixes of a group: names that are a link's own have another one. */
export const prefixesOf = (group: Group): readonly string[] =>
  [groupPrefixes[group], ownPrefixes[group]].filter((prefix) => prefix !== undefined);

/** Stands for the links and tags that an item doesn't name. None is called so. */
export const unnamed = '~';

/** Names that come from outside are unlimited, so an item holds a limited number; the rest counts under one name. */
export const nameLimits = [
  ...splitList.flatMap(({ prefix, ownPrefix, most }) =>
    most === undefined
      ? []
      : [prefix, ownPrefix].flatMap((one) => (one ? [{ prefix: one, most, others: `${prefix}other` }] : [])),
  ),
  { prefix: groupPrefixes.tags, most: 100, others: groupPrefixes.tags + unnamed },
  { prefix: groupPrefixes.links, most: 250, others: groupPrefixes.links + unnamed },
];

const limits = new Map(nameLimits.map((limit) => [limit.prefix, limit]));

/** The limit that a name falls under, if any. */
export const limitOf = (name: string): (typeof nameLimits)[number] | undefined => {
  const limit = limits.get(name.slice(0, 2));
  return name === limit?.others ? undefined : limit;
};

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

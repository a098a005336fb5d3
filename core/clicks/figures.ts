import type { Figures } from '../links/link.ts';
import type { Item } from '../table/table.ts';

/** Whose figures they are: a link's, or without a code those of a project. */
export interface Owner {
  readonly project: string;
  readonly code?: string | undefined;
}

/** Attributes of items with figures. They are flat, because DynamoDB adds to top-level numbers only. */
export const figureNames = {
  clicks: 'n',
  uniques: 'u',
  opens: 'e',
  firstOpens: 'f',
  /** Visits that aren't clicks, by reason. */
  excludedPrefix: 'x#',
  /** How far a shard is counted. */
  watermarkPrefix: 'w',
  /** Before which day an owner's days have items of their own, before which one they had before, and when that changed. */
  closed: 'd',
  closedBefore: 'p',
  closedAt: 'a',
  /** How many clicks and opens the sum of a day has seen. */
  seen: 'v',
} as const;

/** The splits of clicks, with the prefix of their attributes. */
export const groupPrefixes = {
  platforms: 'p#',
  countries: 'c#',
  referrers: 'r#',
  browsers: 'b#',
  os: 'o#',
  triggers: 't#',
  links: 'l#',
} as const;

export type Group = keyof typeof groupPrefixes;

/** Outside names are unlimited, so an item holds a limited number; the rest counts under one name. */
export const nameLimits = [
  { prefix: groupPrefixes.referrers, most: 40, beyond: 'other' },
  // No link has this code.
  { prefix: groupPrefixes.links, most: 250, beyond: '~' },
] as const;

/** Of all these items together. A link without clicks has none yet. */
export const figuresOf = (...items: readonly (Item | undefined)[]): Figures => ({
  clicks: sumOf(items, figureNames.clicks),
  uniques: sumOf(items, figureNames.uniques),
  platforms: sumsByName(items, groupPrefixes.platforms),
  countries: sumsByName(items, groupPrefixes.countries),
});

/** Excluded visits by reason, of all these items together. */
export const excludedOf = (...items: readonly (Item | undefined)[]): Record<string, number> =>
  sumsByName(items, figureNames.excludedPrefix);

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

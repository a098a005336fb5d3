import type { Figures } from '../link.ts';
import type { Item } from './table.ts';

/** Attributes of a link's figures. They are flat, because DynamoDB adds to top-level numbers only. */
export const figureNames = {
  clicks: 'n',
  uniques: 'u',
  platformPrefix: 'p#',
  countryPrefix: 'c#',
  watermarkPrefix: 'w#',
} as const;

/** A link that nobody clicked has no item yet. */
export const figuresOf = (item: Item = {}): Figures => ({
  clicks: Number(item[figureNames.clicks] ?? 0),
  uniques: Number(item[figureNames.uniques] ?? 0),
  platforms: withPrefix(item, figureNames.platformPrefix),
  countries: withPrefix(item, figureNames.countryPrefix),
});

const withPrefix = (item: Item, prefix: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), Number(value)]),
  );

import type { Figures } from '../links/link.ts';
import type { Item } from '../table/table.ts';

/** Attributes of a link's figures. They are flat, because DynamoDB adds to top-level numbers only. */
export const figureNames = {
  clicks: 'n',
  uniques: 'u',
  platformPrefix: 'p#',
  countryPrefix: 'c#',
  /** Visits that are no clicks, by reason. For audit; no answer of the API shows them. */
  excludedPrefix: 'x#',
  /** How far a shard is counted. */
  watermarkPrefix: 'w#',
  /** What a shard's watermark has passed without counting it. */
  gapsPrefix: 'g#',
} as const;

/** A link that nobody clicked has no item yet. */
export const figuresOf = (item: Item = {}): Figures => ({
  clicks: Number(item[figureNames.clicks] ?? 0),
  uniques: Number(item[figureNames.uniques] ?? 0),
  platforms: withPrefix(item, figureNames.platformPrefix),
  countries: withPrefix(item, figureNames.countryPrefix),
});

export const excludedOf = (item: Item = {}): Record<string, number> =>
  withPrefix(item, figureNames.excludedPrefix);

const withPrefix = (item: Item, prefix: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), Number(value)]),
  );

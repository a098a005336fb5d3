import type { Platform } from './visitor.ts';

/** What one record of the table's stream says about clicks. */
export interface ClickRecord {
  readonly project: string;
  readonly code: string;
  /** As the stream spells it. */
  readonly sequenceNumber: string;
  /** Position in its shard: digits, padded so that positions compare as text. */
  readonly position: string;
  /** When the stream took it in, in epoch seconds. */
  readonly created: number;
  readonly clicks: number;
  readonly unique: boolean;
  readonly platform: Platform;
  readonly country: string;
}

/** What a number of records add to a link's figures. */
export interface Tally {
  clicks: number;
  uniques: number;
  readonly platforms: Map<string, number>;
  readonly countries: Map<string, number>;
}

/** DynamoDB's sequence numbers are numbers of 21 to 40 digits, in text. */
export const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(40, '0');

const add = (counts: Map<string, number>, name: string, amount: number) =>
  counts.set(name, (counts.get(name) ?? 0) + amount);

export const tally = (records: readonly ClickRecord[]): Tally => {
  const sum: Tally = { clicks: 0, uniques: 0, platforms: new Map(), countries: new Map() };
  for (const { clicks, unique, platform, country } of records) {
    sum.clicks += clicks;
    sum.uniques += unique ? 1 : 0;
    add(sum.platforms, platform, clicks);
    add(sum.countries, country, clicks);
  }
  return sum;
};

/** The link's records by link, in stream order. */
export const byLink = (records: readonly ClickRecord[]): ClickRecord[][] => [
  ...Map.groupBy(records, ({ project, code }) => `${project}#${code}`).values(),
];

const platforms: readonly Platform[] = ['ios', 'android', 'web'];

/** A platform that we don't know is a desktop browser to us, here as in routing. */
export const knownPlatform = (platform: string | undefined): Platform =>
  platforms.find((one) => one === platform) ?? 'web';

/** ISO 3166's two letters, as CloudFront tells them; `other` for all that it can't place. */
export const knownCountry = (country: string | undefined): string =>
  country !== undefined && /^[A-Z]{2}$/.test(country) ? country : 'other';

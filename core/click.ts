import type { Platform } from './visitor.ts';

/** What one record of the table's stream says about clicks. */
export interface ClickRecord {
  readonly project: string;
  readonly code: string;
  /** Position in its shard: digits, padded so that positions compare as text. */
  readonly position: string;
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

/** A visitor's item before and after a click, as far as counting reads it. */
export interface VisitorImage {
  readonly hits: number;
  readonly platform: Platform;
  readonly country: string;
  /** Epoch seconds of the click. */
  readonly seen: number;
  /** Epoch seconds from which the visitor counts as a new one. */
  readonly ttl: number;
}

/**
 * A visitor is new when the item is, or when its time had run out before this click. So the sum does not depend on
 * when expired items are swept.
 */
export const isNewVisitor = (after: VisitorImage, before: VisitorImage | undefined): boolean =>
  before === undefined || before.ttl <= after.seen;

/** The link's records by link, in stream order. */
export const byLink = (records: readonly ClickRecord[]): ClickRecord[][] => [
  ...Map.groupBy(records, ({ project, code }) => `${project}#${code}`).values(),
];

import { type Platform, platforms } from '../base/platform.ts';

/** A click's visit as the redirect sees it. */
export interface Seen {
  /** The request's headers by lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly platform: Platform;
  readonly referrer: string;
  readonly browser: string;
  readonly os: string;
  readonly trigger: string;
  /** The campaign in the destination's address, if any. */
  readonly campaign: string | undefined;
  readonly source: string | undefined;
  /** The name of the rule's decision in analytics, if a rule decided. */
  readonly rule: string | undefined;
  readonly at: Date;
}

interface Dimension {
  /** The field of a click, which is also the name in responses and the column in the export. */
  readonly field: string;
  /** Prefix of its attributes in items of analytics: a letter and `#`. */
  readonly prefix: string;
  /** Prefix of the link's own names in its analytics, which have their own places. */
  readonly ownPrefix?: string;
  /** A visit's value, if any. It must not throw, and must limit the length, because visitors choose their headers. */
  readonly of: (seen: Seen) => string | undefined;
  /** The value of a stored text, which may be empty. It must not throw. */
  readonly read: (text: string) => string;
  /**
   * Whether analytics also store clicks without a value. Otherwise these are the difference to all clicks, including
   * those from before the dimension, and events omit the field.
   */
  readonly storesAll?: true;
  /** Whether links' totals contain it. */
  readonly inTotals?: true;
  /** Whether it is meaningful only for a single link, so that projects' analytics omit it. */
  readonly ofLinks?: true;
  /** The most names in an item; omitted if there are few anyway. */
  readonly most?: number;
}

const otherwise = (name: string) => (text: string) => text || name;

const rows = {
  // An unknown platform counts as a desktop browser, as in routing.
  platforms: {
    field: 'platform',
    prefix: 'p#',
    of: ({ platform }) => platform,
    read: (text) => platforms.find((one) => one === text) ?? 'web',
    storesAll: true,
    inTotals: true,
  },
  // The country comes from CloudFront, which doesn't always know it.
  countries: {
    field: 'country',
    prefix: 'c#',
    of: ({ headers }) => headers['cloudfront-viewer-country'],
    read: (text) => (/^[A-Z]{2}$/.test(text) ? text : 'other'),
    storesAll: true,
    inTotals: true,
  },
  referrers: {
    field: 'referrer',
    prefix: 'r#',
    of: ({ referrer }) => referrer,
    read: otherwise('other'),
    storesAll: true,
    most: 40,
  },
  browsers: {
    field: 'browser',
    prefix: 'b#',
    of: ({ browser }) => browser,
    read: otherwise('other'),
    storesAll: true,
  },
  os: {
    field: 'os',
    prefix: 'o#',
    of: ({ os }) => os,
    read: otherwise('other'),
    storesAll: true,
  },
  triggers: {
    field: 'trigger',
    prefix: 't#',
    of: ({ trigger }) => trigger,
    read: otherwise('link'),
    storesAll: true,
  },
  // Names that link owners choose.
  rules: {
    field: 'rule',
    prefix: 'y#',
    of: ({ rule }) => rule,
    read: otherwise('none'),
    ofLinks: true,
    most: 40,
  },
  // From the destination's address, to which visitors can add anything.
  campaigns: {
    field: 'campaign',
    prefix: 'g#',
    ownPrefix: 'G#',
    of: ({ campaign }) => campaign,
    read: otherwise('none'),
    most: 40,
  },
  sources: {
    field: 'source',
    prefix: 's#',
    ownPrefix: 'S#',
    of: ({ source }) => source,
    read: otherwise('none'),
    most: 40,
  },
} as const satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof rows;
type Field = (typeof rows)[DimensionName]['field'];
type Row = Dimension & { readonly field: Field };

/**
 * The dimensions of clicks. Visits, records, analytics, groupings of the API, columns of the export, events, the client's
 * types and the console's lists follow from these rows.
 */
export const dimensions: Readonly<Record<DimensionName, Row>> = rows;

export type DimensionValues = { readonly [Name in Field]: string };

/** A visit's values by dimension; unknown ones may be omitted. */
export type VisitValues = { readonly [Name in Field]?: string | undefined };

// `Object.keys` loses the names' types.
export const dimensionNames = Object.keys(rows) as [DimensionName, ...DimensionName[]];

export const dimensionList: readonly Row[] = Object.values(dimensions);

export const eachDimension = <Value>(
  of: (dimension: Row, name: DimensionName) => Value,
): Readonly<Record<DimensionName, Value>> =>
  Object.fromEntries(dimensionNames.map((name) => [name, of(dimensions[name], name)])) as Record<
    DimensionName,
    Value
  >;

export const eachField = <Value>(
  of: (dimension: Row, name: DimensionName) => Value,
): Readonly<Record<Field, Value>> =>
  Object.fromEntries(
    dimensionNames.map((name) => [dimensions[name].field, of(dimensions[name], name)]),
  ) as Record<Field, Value>;

export const valuesOf = (seen: Seen): DimensionValues => eachField(({ of, read }) => read(of(seen) ?? ''));

/** Prefixes of the dimensions whose values are the link's own, as in `own`. */
export const ownOf = (values: VisitValues, own: VisitValues): string =>
  dimensionList
    .filter(({ ownPrefix, field }) => ownPrefix && values[field] === own[field] && own[field])
    .map(({ prefix }) => prefix)
    .join('');

/** The values that mean "unknown". */
export const noValues: DimensionValues = eachField(({ read }) => read(''));

/** Whether analytics store a value, and events contain it. */
export const isIncluded = ({ field, storesAll }: Row, value: string): boolean =>
  storesAll === true || value !== noValues[field];

/** A visit's values to store, without unknown ones. */
export const storedValues = (visit: VisitValues): Partial<VisitValues> =>
  Object.fromEntries(
    dimensionList.flatMap(({ field }) => {
      const value = visit[field];
      return value === undefined || value === noValues[field] ? [] : [[field, value]];
    }),
  );

import { type Platform, platforms } from '../base/platform.ts';

/** What the redirect knows of a click's visit. */
export interface Seen {
  /** Of the request, by lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly platform: Platform;
  readonly referrer: string;
  readonly browser: string;
  readonly os: string;
  readonly trigger: string;
  /** By the destination's address, if it has them. */
  readonly campaign: string | undefined;
  readonly source: string | undefined;
  /** What figures call the decision of the link's rules, if one decided. */
  readonly rule: string | undefined;
  readonly at: Date;
}

interface Split {
  /** The field of a click; also what its entries are called in responses, and its column in the export. */
  readonly field: string;
  /** Of its attributes in items of figures: a letter and `#`. */
  readonly prefix: string;
  /** The same of names that are the link's own, in its figures: they have room beside the others. */
  readonly ownPrefix?: string;
  /** What a visit says, if anything. Never throws; visitors choose their headers, so bound its length. */
  readonly of: (seen: Seen) => string | undefined;
  /** What a stored text means, or none. Never throws. */
  readonly read: (text: string) => string;
  /**
   * Whether figures store the clicks that say nothing, too, as of the first splits. Else these are the clicks without a name, those from
   * before the split among them, and events leave it out.
   */
  readonly storesAll?: true;
  /** Whether a link's totals have it. */
  readonly inTotals?: true;
  /** Whether it means something for one link only, so that projects don't have it. */
  readonly ofLinks?: true;
  /** How many names an item has room for; without it, there are few. */
  readonly most?: number;
  /** Above its list in the console. */
  readonly title: string;
  /** What it holds, for readers of the API, of events and of the export. */
  readonly says: string;
}

const otherwise = (name: string) => (text: string) => text || name;

const rows = {
  // A platform that we don't know is a desktop browser to us, here as in routing.
  platforms: {
    field: 'platform',
    prefix: 'p#',
    of: ({ platform }) => platform,
    read: (text) => platforms.find((one) => one === text) ?? 'web',
    storesAll: true,
    inTotals: true,
    title: 'Platforms',
    says: 'ios, android or web',
  },
  // From CloudFront, which doesn't always know it.
  countries: {
    field: 'country',
    prefix: 'c#',
    of: ({ headers }) => headers['cloudfront-viewer-country'],
    read: (text) => (/^[A-Z]{2}$/.test(text) ? text : 'other'),
    storesAll: true,
    inTotals: true,
    title: 'Countries',
    says: 'Two letters of ISO 3166, or other',
  },
  referrers: {
    field: 'referrer',
    prefix: 'r#',
    of: ({ referrer }) => referrer,
    read: otherwise('other'),
    storesAll: true,
    most: 40,
    title: 'Referrers',
    says: 'Host of the referring page, direct or other',
  },
  browsers: {
    field: 'browser',
    prefix: 'b#',
    of: ({ browser }) => browser,
    read: otherwise('other'),
    storesAll: true,
    title: 'Browsers',
    says: 'Name of the browser, in lower case',
  },
  os: {
    field: 'os',
    prefix: 'o#',
    of: ({ os }) => os,
    read: otherwise('other'),
    storesAll: true,
    title: 'Systems',
    says: 'Name of the operating system, in lower case',
  },
  triggers: {
    field: 'trigger',
    prefix: 't#',
    of: ({ trigger }) => trigger,
    read: otherwise('link'),
    storesAll: true,
    title: 'By link or QR code',
    says: 'qr for a scanned QR code, else link',
  },
  // Names that link owners choose.
  rules: {
    field: 'rule',
    prefix: 'y#',
    of: ({ rule }) => rule,
    read: otherwise('none'),
    ofLinks: true,
    most: 40,
    title: 'By rule',
    says: 'RULE or RULE/ENTRY of the link that decided, or none',
  },
  // By the destination's address, to which visitors add what they like.
  campaigns: {
    field: 'campaign',
    prefix: 'g#',
    ownPrefix: 'G#',
    of: ({ campaign }) => campaign,
    read: otherwise('none'),
    most: 40,
    title: 'Campaigns',
    says: 'utm_campaign of the destination with what the visit adds, none or other',
  },
  sources: {
    field: 'source',
    prefix: 's#',
    ownPrefix: 'S#',
    of: ({ source }) => source,
    read: otherwise('none'),
    most: 40,
    title: 'Sources',
    says: 'utm_source of the destination with what the visit adds, none or other',
  },
} as const satisfies Record<string, Split>;

export type SplitName = keyof typeof rows;
type Field = (typeof rows)[SplitName]['field'];
type Row = Split & { readonly field: Field };

/**
 * How clicks are split. Visits, records, figures, groupings of the API, columns of the export, events, the client's types and
 * the console's lists follow from these rows.
 */
export const splits: Readonly<Record<SplitName, Row>> = rows;

/** What a click says for each split. */
export type SplitValues = { readonly [Name in Field]: string };

/** The same of a visit, which may leave out what says nothing. */
export type VisitValues = { readonly [Name in Field]?: string | undefined };

// Object.keys knows no names.
export const splitNames = Object.keys(rows) as [SplitName, ...SplitName[]];

export const splitList: readonly Row[] = Object.values(splits);

/** Something of each split, under its name. */
export const eachSplit = <Value>(
  of: (split: Row, name: SplitName) => Value,
): Readonly<Record<SplitName, Value>> =>
  Object.fromEntries(splitNames.map((name) => [name, of(splits[name], name)])) as Record<SplitName, Value>;

/** Something of each split, under its field. */
export const eachField = <Value>(of: (split: Row) => Value): Readonly<Record<Field, Value>> =>
  Object.fromEntries(splitList.map((split) => [split.field, of(split)])) as Record<Field, Value>;

/** What a visit says for each split. */
export const valuesOf = (seen: Seen): SplitValues => eachField(({ of, read }) => read(of(seen) ?? ''));

/** Which values are the link's own, as `own` has them: the prefixes of their splits. */
export const ownOf = (values: VisitValues, own: VisitValues): string =>
  splitList
    .filter(({ ownPrefix, field }) => ownPrefix && values[field] === own[field] && own[field])
    .map(({ prefix }) => prefix)
    .join('');

/** What `read` makes of nothing: the values that say nothing. */
export const noValues: SplitValues = eachField(({ read }) => read(''));

/** Whether a value is stored in figures, and told. */
export const isSaid = ({ field, storesAll }: Row, value: string): boolean =>
  storesAll === true || value !== noValues[field];

/** What is stored of a visit: the values that say something. */
export const storedValues = (visit: VisitValues): Partial<VisitValues> =>
  Object.fromEntries(
    splitList.flatMap(({ field }) => {
      const value = visit[field];
      return value === undefined || value === noValues[field] ? [] : [[field, value]];
    }),
  );

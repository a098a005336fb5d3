import { platforms } from '../base/platform.ts';

interface Split {
  /** The field of a click; also what its entries are called in responses, and its column in the export. */
  readonly field: string;
  /** Of its attributes in items of figures. */
  readonly prefix: string;
  /** What a stored text means. Never throws. */
  readonly read: (text: string) => string;
  /** Whether a link's totals have it. */
  readonly inTotals?: true;
  /** Whether it means something for one link only, so that projects don't have it. */
  readonly ofLinks?: true;
  /** The name of what is stored nowhere: the clicks that have no other name. */
  readonly rest?: string;
  /** How many names an item has room for; without it, there are few. */
  readonly most?: number;
  /** The column in words. */
  readonly says: string;
}

const otherwise = (name: string) => (text: string) => text || name;

/**
 * How clicks are split. Stored visits, records, figures, groupings of the API and columns of the export follow from these rows.
 */
export const splits = {
  // A platform that we don't know is a desktop browser to us, here as in routing.
  platforms: {
    field: 'platform',
    prefix: 'p#',
    read: (text) => platforms.find((one) => one === text) ?? 'web',
    inTotals: true,
    says: 'ios, android or web',
  },
  // From CloudFront, which doesn't always know it.
  countries: {
    field: 'country',
    prefix: 'c#',
    read: (text) => (/^[A-Z]{2}$/.test(text) ? text : 'other'),
    inTotals: true,
    says: 'Two letters of ISO 3166, or other',
  },
  referrers: {
    field: 'referrer',
    prefix: 'r#',
    read: otherwise('other'),
    most: 40,
    says: 'Host of the referring page, direct or other',
  },
  browsers: {
    field: 'browser',
    prefix: 'b#',
    read: otherwise('other'),
    says: 'Name of the browser, in lower case',
  },
  os: {
    field: 'os',
    prefix: 'o#',
    read: otherwise('other'),
    says: 'Name of the operating system, in lower case',
  },
  triggers: { field: 'trigger', prefix: 't#', read: otherwise('link'), says: 'qr or link' },
  // Names that link owners choose. Most links have no rules, and their items nothing of them.
  rules: {
    field: 'rule',
    prefix: 'y#',
    read: otherwise('none'),
    ofLinks: true,
    rest: 'none',
    most: 40,
    says: 'RULE or RULE/ENTRY of the link that decided, or none',
  },
} as const satisfies Record<string, Split>;

export type SplitName = keyof typeof splits;
type Field = (typeof splits)[SplitName]['field'];

/** What a click says for each split. */
export type SplitValues = { readonly [Name in Field]: string };

/** The same of a visit, which may leave out values that `read('')` gives as well. */
export type VisitValues = { readonly [Name in Field]?: string | undefined };

export const splitList: readonly (Split & { readonly field: Field })[] = Object.values(splits);

/** Something of each split, under its name. */
export const eachSplit = <Value>(of: (split: Split) => Value): Readonly<Record<SplitName, Value>> =>
  Object.fromEntries(Object.entries(splits).map(([name, split]) => [name, of(split)])) as Record<
    SplitName,
    Value
  >;

/** Something of each split, under its field. */
export const eachField = <Value>(of: (field: Field, split: Split) => Value): Readonly<Record<Field, Value>> =>
  Object.fromEntries(splitList.map((split) => [split.field, of(split.field, split)])) as Record<Field, Value>;

/** What is stored of a visit: the values that `read('')` doesn't give. */
export const storedValues = (visit: VisitValues): Partial<VisitValues> =>
  Object.fromEntries(
    splitList.flatMap(({ field, read }) => {
      const value = visit[field];
      return value === undefined || value === read('') ? [] : [[field, value]];
    }),
  );

import type { MobileApp } from '../../core/apps/mobile-app.ts';
import type { Platform } from '../../core/base/platform.ts';
import type { LinkPayload } from '../../core/links/payload-fields.ts';
import type { Visitor } from '../../core/visits/visitor.ts';
import links from './links.json' with { type: 'json' };
import userAgents from './user-agents.json' with { type: 'json' };

/** A trait in addition to the platform: a browser inside an app, or a Mac's Safari, which may be an iPad's. */
type Trait = 'in-app' | 'mac-or-ipad';

/** User agents of one sort, with their kind. */
export interface ShapeKind {
  readonly group: string;
  readonly kind: Visitor['kind'];
  readonly platform: Platform;
  readonly trait?: Trait;
  readonly source: string;
  readonly userAgents: readonly string[];
}

/**
 * The address of a redirect, the title of a preview, or the addresses that a page offers as links. `{deepLink}` is the
 * short URL that was opened, encoded twice.
 */
export type Gets = string | { readonly preview: string } | { readonly page: readonly string[] };

export type SavedApp = Partial<MobileApp>;

type Person = Platform | 'ios in-app' | 'android in-app' | 'mac-or-ipad';

/** A link, with the expected result for each kind of visitor. */
export interface LinkShape {
  readonly name: string;
  readonly payload: LinkPayload;
  readonly apps?: { readonly ios?: SavedApp; readonly android?: SavedApp };
  /** Apps that the link names, deleted since. */
  readonly deletedApps?: readonly ('ios' | 'android')[];
  /** The visitor's query on the short URL. */
  readonly query?: string;
  /** The query without the service's own parameters, if it has any. */
  readonly opened?: string;
  readonly gets: Partial<Record<Person | Visitor['kind'], Gets>> & { readonly everyone: Gets };
}

export const shapeKinds = userAgents as readonly ShapeKind[];
export const linkShapes = links as unknown as readonly LinkShape[];

/** The corpus' expectation of a visitor's result for a link with this short URL. */
export const expectedOf = ({ gets, ...shape }: LinkShape, sort: ShapeKind, shortUrl: string): Gets => {
  const expected = keysOf(sort).flatMap((key) => gets[key] ?? [])[0] ?? gets.everyone;
  const query = shape.opened ?? shape.query;
  const opened = encodeURIComponent(encodeURIComponent(query ? `${shortUrl}?${query}` : shortUrl));
  const filled = (address: string) => address.replace('{deepLink}', opened);
  if (typeof expected === 'string') return filled(expected);
  return 'page' in expected ? { page: expected.page.map(filled) } : expected;
};

/** The keys for looking up a visitor in `gets`, the most specific first. */
const keysOf = ({ kind, platform, trait }: ShapeKind): (Person | Visitor['kind'])[] => {
  if (kind !== 'person') return [kind];
  if (trait === 'mac-or-ipad') return [trait, platform];
  return trait && platform !== 'web' ? [`${platform} ${trait}`, platform] : [platform];
};

/** Whether a visitor got the expected result; a page may offer more. */
export const isAsExpected = (got: Gets | undefined, expected: Gets): boolean =>
  typeof got === 'object' && typeof expected === 'object' && 'page' in got && 'page' in expected
    ? expected.page.every((address) => got.page.includes(address))
    : JSON.stringify(got) === JSON.stringify(expected);

/** The code of a manually created link of the corpus. */
export const codeOf = ({ name }: LinkShape): string => name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 50);

import type { MobileApp } from '../../core/apps/mobile-app.ts';
import type { Platform, Visitor } from '../../core/clicks/visitor.ts';
import type { LinkPayload } from '../../core/links/link.ts';
import links from './links.json' with { type: 'json' };
import userAgents from './user-agents.json' with { type: 'json' };

/** User agents of one sort, and what they are. */
export interface Sort {
  readonly group: string;
  readonly kind: Visitor['kind'];
  readonly platform: Platform;
  readonly source: string;
  readonly userAgents: readonly string[];
}

/** The address of a redirect, or the title of a preview. `{deepLink}` is the short URL that was opened, encoded twice. */
export type Gets = string | { readonly preview: string };

export type SavedApp = Partial<MobileApp>;

/** A link, and what each kind of visitor gets of it. */
export interface LinkShape {
  readonly name: string;
  readonly payload: LinkPayload;
  readonly apps?: { readonly ios?: SavedApp; readonly android?: SavedApp };
  /** Apps that the link names and that were deleted since. */
  readonly deletedApps?: readonly ('ios' | 'android')[];
  /** What the visitor adds to the short URL. */
  readonly query?: string;
  /** The part of that which is not the service's own, where some of it is. */
  readonly opened?: string;
  readonly gets: Partial<Record<Platform | Visitor['kind'], Gets>> & { readonly everyone: Gets };
}

export const sorts = userAgents as readonly Sort[];
export const linkShapes = links as unknown as readonly LinkShape[];

/** What the corpus says that a visitor gets of a link which has been given this short URL. */
export const expectedOf = (
  { gets, ...shape }: LinkShape,
  { kind, platform }: Sort,
  shortUrl: string,
): Gets => {
  const expected = (kind === 'person' ? gets[platform] : gets[kind]) ?? gets.everyone;
  if (typeof expected !== 'string') return expected;
  const query = shape.opened ?? shape.query;
  const opened = query ? `${shortUrl}?${query}` : shortUrl;
  return expected.replace('{deepLink}', encodeURIComponent(encodeURIComponent(opened)));
};

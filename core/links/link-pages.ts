import type { Table } from '../table/table.ts';
import type { Link } from './link.ts';
import { type LinkFilter, meets } from './link-filter.ts';
import { listPositionOf } from './link-list.ts';
import { type LinkWithAnalytics, withAnalytics } from './link-reads.ts';
import { walk } from './link-walk.ts';

/** Read units after which a call reads no further links. The last round may take 1,200 more. */
const unitsOfCall = 500;
/** Links read in a round before their units are counted: the largest take twelve. */
const lookedAtOnce = 100;
/** Links read in a round for all links; ten calls of BatchGetItem. */
const portionSize = 500;

interface PageRequest {
  /** The position where the previous page ended; undefined for the first page. */
  readonly below?: string | undefined;
  readonly pageSize: number;
  readonly now: Date;
}

/** Walks through a project's links, newest first. */
export const linkPages = (table: Table) => ({
  /**
   * The next links that meet a filter, with their end position, which is undefined if no link is left. A page may be
   * short or empty before the end, because a call reads a limited number of links.
   */
  async walk(project: string, filter: LinkFilter, { below, pageSize, now }: PageRequest) {
    const found: Link[] = [];
    let [end, left] = [below, unitsOfCall];
    const portions = { below, first: pageSize, next: lookedAtOnce };
    for await (const { links, bound, units } of walk(table, project, filter, portions)) {
      left -= units;
      const wanted = links.filter((link) => meets(link, filter, now));
      const taken = wanted.slice(0, pageSize - found.length);
      found.push(...taken);
      const last = taken.length < wanted.length ? taken.at(-1) : undefined;
      end = last ? listPositionOf(last) : bound;
      if (found.length === pageSize || left <= 0) break;
    }
    return { links: await withAnalytics(table, found), end };
  },

  /** All links, or those with all of these tags, in portions. A portion is read while the caller works on the previous one. */
  async *all(project: string, tags: readonly string[] = []): AsyncGenerator<LinkWithAnalytics[]> {
    let before: Promise<LinkWithAnalytics[]> | undefined;
    for await (const { links } of walk(table, project, { tags }, { first: portionSize })) {
      const reading = withAnalytics(table, links);
      // A failure is handled when the promise is awaited.
      reading.catch(() => undefined);
      if (before) yield before;
      before = reading;
    }
    if (before) yield before;
  },
});

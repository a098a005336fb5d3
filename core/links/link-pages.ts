import type { Table } from '../table/table.ts';
import type { Link } from './link.ts';
import { type LinkFilter, meets } from './link-filter.ts';
import { type LinkWithFigures, linksAt, linksOf, withFigures } from './link-reads.ts';
import { type Place, Walk } from './link-walk.ts';
import { hasTags } from './tags.ts';

/** Read units after which a call looks at no further links. The last ones that it looks at may take 1,200 more. */
const unitsOfCall = 500;
/** Links that a call looks at before it counts their units: the largest have twelve. */
const lookedAtOnce = 100;
/** Links read at once when a caller wants all of them; ten calls of BatchGetItem. */
const portionSize = 500;

export interface PageRequest {
  /** Where the page before ended; nothing for the first one. */
  readonly below?: string | undefined;
  readonly pageSize: number;
  readonly now: Date;
}

export interface WalkedPage {
  readonly links: readonly LinkWithFigures[];
  /** Where this page ends; nothing if no link is left. */
  readonly end: string | undefined;
}

/**
 * The next links that meet a filter, newest first. A page may be short or empty before the end: a call looks at a bounded
 * number of links.
 */
export const filteredPage = async (
  table: Table,
  project: string,
  filter: LinkFilter,
  { below, pageSize, now }: PageRequest,
): Promise<WalkedPage> => {
  const walk = new Walk(table, project, filter, below);
  const found: Link[] = [];
  const page = async (end: string | undefined) => ({ links: await withFigures(table, found), end });
  let [looked, units] = [0, 0];
  for (let portion = pageSize; ; ) {
    const places = await walk.next(portion, unitsOfCall - units);
    const read = await linksAt(table, project, places.map(codeOf));
    for (const [index, { key, position }] of places.entries()) {
      const { link, units: own = 1 } = read.get(key) ?? {};
      units += own;
      if (!link || !meets(link, filter, now)) continue;
      found.push(link);
      const isLast = walk.isOver && index === places.length - 1;
      if (found.length === pageSize) return page(isLast ? undefined : position);
    }
    if (walk.isOver) return page(undefined);
    looked += places.length;
    const left = unitsOfCall - units - walk.units;
    if (left <= 0) return page(walk.bound);
    portion = Math.min(lookedAtOnce, Math.ceil((left * looked) / Math.max(units, 1)) || lookedAtOnce);
  }
};

/** All links, or those with some tags, in portions. A portion is read while the one before is worked on. */
export async function* allLinks(
  table: Table,
  project: string,
  tags: readonly string[],
): AsyncGenerator<LinkWithFigures[]> {
  const walk = new Walk(table, project, { tags });
  let before: Promise<LinkWithFigures[]> | undefined;
  while (!walk.isOver) {
    const places = await walk.next(portionSize);
    const codes = [...new Set(places.map(codeOf))];
    const reading = linksOf(table, project, codes).then((read) =>
      read.filter(({ link }) => hasTags(link, tags)),
    );
    // A failure is seen when it is awaited.
    reading.catch(() => undefined);
    if (before) yield before;
    before = reading;
  }
  if (before) yield before;
}

const codeOf = ({ code }: Place): string => code;

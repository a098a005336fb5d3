import { linkListOf, sortKeys, taggedLinkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Link } from './link.ts';
import type { LinkFilter } from './link-filter.ts';
import { codeAt, type ListPosition, listPositionOf, positionIn } from './link-list.ts';
import { livingLinks } from './link-reads.ts';
import { hasTags } from './tags.ts';

/*
 * Walks the places of a project's links, newest first: those on its list, or where tags are wanted those in the lists of all of
 * these tags. All lists have the same sort keys, and a link never changes its place, so a walk that goes on below the
 * last key which it has looked at meets every link that is there all the time exactly once, whatever happens around it.
 */

/** Above and below every position. */
const newest = '~';
const oldest = '';

/** What one round of a walk found. */
interface Round {
  /** Those that have the tags and were created at the time that is asked for. */
  readonly links: readonly Link[];
  /** All places above it have been looked at; nothing if no place is left. */
  readonly bound: ListPosition | undefined;
  /** Read units that it took. */
  readonly units: number;
}

/** Clocks differ, and an import takes times that lie a few minutes ahead: a link may be that far from its segment. */
const toleranceMs = 600_000;

const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Read units of things that are read together. */
const unitsOf = (read: object): number => Math.ceil(Buffer.byteLength(JSON.stringify(read)) / 4096);

/** Rounds of at most so many places each, below a position. */
export async function* walk(
  table: Table,
  project: string,
  { tags = [], createdAfter, createdBefore }: Omit<LinkFilter, 'status' | 'search'>,
  { below = newest, first, next = first }: { below?: ListPosition | undefined; first: number; next?: number },
): AsyncGenerator<Round> {
  const list = linkListOf(project);
  const partitions = tags.length > 0 ? tags.map((tag) => taggedLinkKey(project, tag, list).PK) : [list.PK];
  const latest = createdBefore && shifted(createdBefore, toleranceMs);
  // Later than 9999, a time doesn't compare as text.
  let bound: ListPosition | undefined = latest && /^\d/.test(latest) && latest < below ? latest : below;
  const isWanted = (position: ListPosition): boolean => {
    const [, createdAt = ''] = position.split('#');
    return createdAt >= (createdAfter ?? '') && (createdBefore === undefined || createdAt < createdBefore);
  };
  /** The bound once all down to this place have been looked at. */
  const boundAt = (reached: ListPosition): ListPosition | undefined => {
    const [segment = '', createdAt = ''] = reached.split('#');
    if (createdBefore !== undefined && createdAt >= createdBefore) return `${segment}#${createdBefore}`;
    if (createdAfter === undefined || createdAt >= createdAfter) return reached;
    // The rest of the segment is older.
    return createdAt < shifted(createdAfter, -toleranceMs) ? undefined : segment;
  };
  for (let most = first; bound !== undefined; most = next) {
    const from: ListPosition = bound;
    const lists = await Promise.all(partitions.map((partition) => placesBelow(table, partition, from, most)));
    // Every wanted place is in each list, so the one that reaches furthest leaves least to look at.
    const { positions, reached } = lists.reduce((one, other) => (other.reached < one.reached ? other : one));
    bound = reached === oldest ? undefined : boundAt(reached);
    const places = [...positions].filter(
      (one) => isWanted(one) && lists.every((other) => one < other.reached || other.positions.has(one)),
    );
    const links = await linksAt(table, project, places);
    const units = [...lists.map((list) => list.units), ...links.map(unitsOf)].reduce((sum, n) => sum + n, 0);
    yield { links: links.filter((link) => hasTags(link, tags)), bound, units };
  }
}

/** The links at these places that are not deleted: a list may have places of others. */
const linksAt = async (table: Table, project: string, places: readonly ListPosition[]): Promise<Link[]> => {
  const links = await livingLinks(table, project, places.map(codeAt));
  const wanted = new Set(places);
  return links.filter((link) => wanted.has(listPositionOf(link)));
};

/** The newest places of a list below a bound, and the last of them; the oldest one if none are left behind. */
const placesBelow = async (table: Table, partition: string, bound: ListPosition, most: number) => {
  const items = await table.query({
    KeyConditionExpression: 'PK = :list AND SK < :bound',
    ExpressionAttributeValues: { ':list': partition, ':bound': sortKeys.place + bound },
    ScanIndexForward: false,
    ConsistentRead: true,
    // One more tells whether there are any behind them.
    Limit: most + 1,
  });
  const positions = items.slice(0, most).map(positionIn);
  const reached = items.length > most ? (positions.at(-1) ?? oldest) : oldest;
  return { positions: new Set(positions), reached, units: unitsOf(items) };
};

import { linkListOf, sortKeys, taggedLinkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { Link } from './link.ts';
import type { LinkFilter } from './link-filter.ts';
import { codeAt, type ListPosition, listPositionOf, positionIn } from './link-list.ts';
import { livingLinks } from './link-reads.ts';
import { hasTags } from './tags.ts';

/*
 * Walks the places of a project's links, newest first: on its list, or for tags on the lists of all of these tags. All
 * lists have the same sort keys, and links never change their places. So a walk that continues below the last key
 * visits every link that exists throughout exactly once, despite concurrent changes.
 */

/** Above and below every position. */
const newest = '~';
const oldest = '';

interface Round {
  /** Links with the wanted tags and creation times. */
  readonly links: readonly Link[];
  /** The position down to which all places were read; undefined if none is left. */
  readonly bound: ListPosition | undefined;
  /** Read units of the round. */
  readonly units: number;
}

/** The most by which a link's time may differ from its segment's: clocks differ, and imports accept times a few minutes ahead. */
const toleranceMs = 600_000;

const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Read units of items that are read together. */
const unitsOf = (read: object): number => Math.ceil(Buffer.byteLength(JSON.stringify(read)) / 4096);

/** Rounds of at most `first`, then `next` places, below a position. */
export async function* walk(
  table: Table,
  project: string,
  { tags = [], createdAfter, createdBefore }: Omit<LinkFilter, 'status' | 'search'>,
  { below = newest, first, next = first }: { below?: ListPosition | undefined; first: number; next?: number },
): AsyncGenerator<Round> {
  const list = linkListOf(project);
  const partitions = tags.length > 0 ? tags.map((tag) => taggedLinkKey(project, tag, list).PK) : [list.PK];
  const latest = createdBefore && shifted(createdBefore, toleranceMs);
  // Times after the year 9999 don't compare as text.
  let bound: ListPosition | undefined = latest && /^\d/.test(latest) && latest < below ? latest : below;
  const isWanted = (position: ListPosition): boolean => {
    const [, createdAt = ''] = position.split('#');
    return createdAt >= (createdAfter ?? '') && (createdBefore === undefined || createdAt < createdBefore);
  };
  /** The next bound after all places down to `reached` were read. */
  const boundAt = (reached: ListPosition): ListPosition | undefined => {
    const [segment = '', createdAt = ''] = reached.split('#');
    if (createdBefore !== undefined && createdAt >= createdBefore) return `${segment}#${createdBefore}`;
    if (createdAfter === undefined || createdAt >= createdAfter) return reached;
    // The rest of the segment is older as well.
    return createdAt < shifted(createdAfter, -toleranceMs) ? undefined : segment;
  };
  for (let most = first; bound !== undefined; most = next) {
    const from: ListPosition = bound;
    const lists = await Promise.all(partitions.map((partition) => placesBelow(table, partition, from, most)));
    // Every wanted place is in each list, so the list that reaches furthest has the fewest candidates.
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

/** Links at these places that aren't deleted; lists may also have outdated places. */
const linksAt = async (table: Table, project: string, places: readonly ListPosition[]): Promise<Link[]> => {
  const links = await livingLinks(table, project, places.map(codeAt));
  const wanted = new Set(places);
  return links.filter((link) => wanted.has(listPositionOf(link)));
};

/** A list's newest places below a bound, and the last of them, or `oldest` if none are left. */
const placesBelow = async (table: Table, partition: string, bound: ListPosition, most: number) => {
  const items = await table.query({
    KeyConditionExpression: 'PK = :list AND SK < :bound',
    ExpressionAttributeValues: { ':list': partition, ':bound': sortKeys.place + bound },
    ScanIndexForward: false,
    ConsistentRead: true,
    // One more, to find out whether there are further ones.
    Limit: most + 1,
  });
  const positions = items.slice(0, most).map(positionIn);
  const reached = items.length > most ? (positions.at(-1) ?? oldest) : oldest;
  return { positions: new Set(positions), reached, units: unitsOf(items) };
};

import { linkListOf, sortKeys, taggedLinkKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { LinkFilter } from './link-filter.ts';

/*
 * Walks the places of a project's links, newest first: those on its list, or where tags are wanted those in the lists of all of
 * these tags. All lists have the same sort keys, and a link never changes its place, so a walk that goes on below the
 * last key which it has looked at meets every link that is there all the time exactly once, whatever happens around it.
 */

/** The part of a sort key that orders: segment, time of creation, code. */
type Position = string;

/** Above every position. */
const newest: Position = '~';

export interface Place {
  /** Its sort key. */
  readonly key: string;
  readonly position: Position;
  readonly code: string;
}

/** The units that a query counts for, at least: calls that follow each other take time, however little they read. */
const queryUnits = 5;
/** Keys that are read at once where lists are compared. */
const comparedKeys = 100;

/** Clocks differ, and an import takes times that lie a few minutes ahead: a link may be that far from its segment. */
const toleranceMs = 600_000;

const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** One list, read from its newest place on. */
class List {
  readonly #table: Table;
  readonly #partition: string;
  #read: readonly Position[] = [];
  #at = 0;
  #isRead = false;
  units = 0;

  constructor(table: Table, partition: string) {
    this.#table = table;
    this.#partition = partition;
  }

  /** The newest place below a bound. If it has to read, it reads `most` places. */
  async below(bound: Position, most: number): Promise<Position | undefined> {
    this.#skip(bound);
    if (this.#at >= this.#read.length && !this.#isRead) await this.#ask(bound, most);
    return this.#read[this.#at];
  }

  /** Whether it is known that there is nothing below a bound. */
  isOver(bound: Position): boolean {
    this.#skip(bound);
    return this.#isRead && this.#at >= this.#read.length;
  }

  #skip(bound: Position): void {
    while ((this.#read[this.#at] ?? '') >= bound) this.#at += 1;
  }

  async #ask(bound: Position, most: number): Promise<void> {
    const items = await this.#table.query({
      KeyConditionExpression: 'PK = :list AND SK < :bound',
      ExpressionAttributeValues: { ':list': this.#partition, ':bound': sortKeys.place + bound },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: most,
    });
    this.#read = items.map(({ SK }) => String(SK).slice(sortKeys.place.length));
    this.#at = 0;
    this.#isRead = items.length < most;
    this.units += Math.max(queryUnits, unitsOf(items));
  }
}

/** Read units of items that are read together from one partition. */
const unitsOf = (items: readonly object[]): number => Math.ceil(JSON.stringify(items).length / 4096);

export class Walk {
  readonly #lists: readonly [List, ...List[]];
  readonly #createdAfter: string | undefined;
  readonly #createdBefore: string | undefined;
  /** All places above it have been looked at. */
  bound: Position;
  isOver = false;

  constructor(
    table: Table,
    project: string,
    { tags = [], createdAfter, createdBefore }: Omit<LinkFilter, 'status' | 'search'>,
    bound: Position = newest,
  ) {
    const place = linkListOf(project);
    const [first = place.PK, ...others] = tags.map((tag) => taggedLinkKey(project, tag, place).PK);
    this.#lists = [new List(table, first), ...others.map((partition) => new List(table, partition))];
    this.#createdAfter = createdAfter;
    this.#createdBefore = createdBefore;
    const latest = createdBefore && shifted(createdBefore, toleranceMs);
    // Later than 9999, a time doesn't compare as text.
    this.bound = latest && /^\d/.test(latest) && latest < bound ? latest : bound;
  }

  /** Read units so far. */
  get units(): number {
    return this.#lists.reduce((sum, { units }) => sum + units, 0);
  }

  /** The next `most` places; fewer only at the end, or where the walk has used up so many `units`. */
  async next(most: number, units = Infinity): Promise<Place[]> {
    const places: Place[] = [];
    while (places.length < most && !this.isOver && this.units < units) {
      const place = await this.#step(most);
      if (place) places.push(place);
    }
    this.isOver ||= this.#lists.some((list) => list.isOver(this.bound));
    return places;
  }

  /** Moves the bound down to the next place; nothing if that place is not wanted. */
  async #step(most: number): Promise<Place | undefined> {
    const [first, ...others] = this.#lists;
    // One more tells whether there are any behind them.
    const position = await first.below(this.bound, others.length > 0 ? comparedKeys : most + 1);
    if (position === undefined) return this.#end();
    for (const list of others) {
      const other = await list.below(upTo(position), comparedKeys);
      if (other === undefined) return this.#end();
      if (other === position) continue;
      this.bound = upTo(other);
      return undefined;
    }
    return this.#take(position);
  }

  #take(position: Position): Place | undefined {
    const [segment = '', createdAt = '', code = ''] = position.split('#');
    if (this.#createdBefore !== undefined && createdAt >= this.#createdBefore) {
      this.bound = `${segment}#${this.#createdBefore}`;
      return undefined;
    }
    this.bound = position;
    if (this.#createdAfter === undefined || createdAt >= this.#createdAfter)
      return { key: sortKeys.place + position, position, code };
    // The rest of the segment is older.
    this.bound = segment;
    return createdAt < shifted(this.#createdAfter, -toleranceMs) ? this.#end() : undefined;
  }

  #end(): undefined {
    this.isOver = true;
    return undefined;
  }
}

/** The bound right above a position: all characters of codes follow `!`. */
const upTo = (position: Position): Position => `${position}!`;

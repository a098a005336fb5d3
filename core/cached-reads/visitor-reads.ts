import { Backoffs } from '../base/backoffs.ts';
import { errorKindOf } from '../table/errors.ts';
import { type Key, partitions } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { longestBackoffMs, readCache } from './read-cache.ts';

type Reads = Pick<Table, 'get' | 'query'>;

/** Metrics of failed reads without which visitors are still served. */
export type Unread = 'AppUnread' | 'TakedownsStale' | 'TakedownsUnread';

/**
 * Cache times of hosts and takedowns in milliseconds, ± 20 %. Operators' changes apply after at most this time: a
 * suspension within five seconds, a blocked destination within a minute.
 */
export const memoryTimes = { suspension: 4000, blocking: 45_000, host: 4000 };

export interface VisitorReadsProps {
  /** The table with a short deadline, for lists and for reads that a copy can replace. @default the table itself */
  readonly hasty?: Reads;
  readonly count?: (metric: Unread) => void;
  /** Cache times. @default as docs promise */
  readonly memory?: typeof memoryTimes | undefined;
  /** A random number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

export type VisitorReads = ReturnType<typeof visitorReads>;

/** The greatest age of an item's copy, and the first back-off, in milliseconds; docs promise them. */
const ofItems = { oldestMs: 5000, firstBackoffMs: 250 };
/** Lists of takedowns stay valid during an outage, however long it is. */
const ofLists = { oldestMs: Infinity, firstBackoffMs: longestBackoffMs };

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;

/**
 * A container's reads for visitors: patient, with copies for outages of the table. A link's absence is never cached, so
 * guessed codes fill no memory, and new links work at once.
 */
export const visitorReads = (table: Reads, props: VisitorReadsProps = {}) => {
  const { hasty = table, count = () => undefined, memory = memoryTimes, random = Math.random } = props;
  const backoffs = new Backoffs({ random });
  const items = readCache<Item | undefined>({ freshMs: 0, ...ofItems, backoffs, random });
  const owners = readCache<Item | undefined>({ freshMs: memory.host, ...ofItems, backoffs, random });
  const patient = sparing(table, backoffs);
  const read = (key: Key) => (isKnown: boolean) => (isKnown ? hasty : patient).get(key);

  const list = (PK: string, freshMs: number) => {
    const onCopy = () => count('TakedownsStale');
    const names = readCache<ReadonlySet<string>>({ freshMs, ...ofLists, backoffs, random, onCopy });
    const ask = async () => {
      if (backoffs.has(PK)) throw new Error('It could not be read a moment ago');
      return sortKeysOf(hasty, PK);
    };
    let asking: Promise<ReadonlySet<string> | undefined> | undefined;
    const unread = (): undefined => {
      if (!backoffs.has(PK)) backoffs.begin(PK, longestBackoffMs);
    };
    return async (): Promise<ReadonlySet<string>> => {
      asking ??= names
        .read(PK, ask)
        .catch(unread)
        .finally(() => {
          asking = undefined;
        });
      const found = await asking;
      // No list has been read yet. Blocked links have their own attribute, so visitors are redirected.
      if (!found) count('TakedownsUnread');
      return found ?? new Set();
    };
  };

  const ofCalls = readCache<ReadonlySet<string>>({
    freshMs: memory.suspension,
    ...ofItems,
    backoffs,
    random,
  });

  return {
    /** An item, read consistently; during an outage, a copy of at most five seconds. */
    item: (key: Key) => items.read(nameOf(key), read(key), (item) => item !== undefined),
    /** An item that may be five seconds old. A cached absence is used only with `trustAbsence`. */
    recentItem: (key: Key, { trustAbsence }: { readonly trustAbsence: boolean }) =>
      owners.read(nameOf(key), read(key), (item) => item !== undefined || trustAbsence),
    /** Ids of the suspended projects. */
    suspended: list(partitions.suspended, memory.suspension),
    /** The same for API calls, at most five seconds old. Throws if it can't be read. */
    suspendedForCalls: () => ofCalls.read('calls', () => sortKeysOf(patient, partitions.suspended)),
    /** The hosts to which no link may lead. */
    blocked: list(partitions.blocked, memory.blocking),
    /** Links that are hidden in the second region. Only its table has them. */
    hidden: list(partitions.hidden, memory.suspension),
    /** All items of a partition. */
    all: (PK: string) => patient.query({ ...itemsOf(PK), ConsistentRead: false }),
    count,
  };
};

/** After a read without a response, reads fail at once for a moment, so that visitors get the retry page early. */
const sparing = (table: Reads, backoffs: Backoffs): Reads => {
  const everything = '';
  let reason: unknown;
  const spare = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (backoffs.has(everything)) throw reason;
    try {
      return await read();
    } catch (error) {
      if (!['busy', 'refused'].includes(errorKindOf(error))) {
        backoffs.begin(everything, longestBackoffMs);
        reason = error;
      }
      throw error;
    }
  };
  return {
    get: (key) => spare(() => table.get(key)),
    query: (input) => spare(() => table.query(input)),
  };
};

const sortKeysOf = async (table: Reads, PK: string): Promise<ReadonlySet<string>> => {
  const items = await table.query({ ...itemsOf(PK), ProjectionExpression: 'SK', ConsistentRead: false });
  return new Set(items.map(({ SK }) => String(SK)));
};

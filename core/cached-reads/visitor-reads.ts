import { Rests } from '../base/rests.ts';
import { errorKindOf } from '../table/errors.ts';
import { type Key, partitions } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { copies, longestRestMs } from './copies.ts';

type Reads = Pick<Table, 'get' | 'query'>;

/** Metrics of what could not be read; visitors are served without it. */
export type Unread = 'AppUnread' | 'TakedownsStale' | 'TakedownsUnread';

/**
 * How long a function remembers what the table says of hosts and take-downs, in milliseconds, give or take a fifth. An
 * operator's change acts this much later at most: a suspension within five seconds, a blocked destination within a minute.
 */
export const memoryTimes = { suspension: 4000, blocking: 45_000, host: 4000 };

export interface VisitorReadsProps {
  /** Gives up early: for reads that a copy can answer, and for lists. @default the table itself */
  readonly hasty?: Reads;
  readonly count?: (metric: Unread) => void;
  /** How long it remembers. @default as docs promise it */
  readonly memory?: typeof memoryTimes | undefined;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** Every read on a visitor's way. */
export type VisitorReads = ReturnType<typeof visitorReads>;

/** How old a copy of an item may be, and how long the table rests after its first refusal, in milliseconds; docs promise it. */
const ofItems = { oldestMs: 5000, firstRestMs: 250 };
/** An outage must not put back what operators have taken down. */
const ofLists = { oldestMs: Infinity, firstRestMs: longestRestMs };

const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;

/**
 * Reads as a container makes them for visitors: patient, and with copies of what it has read for the time in which the
 * table can't be read. That a link is absent is never kept, so guessed codes fill no memory and new links work at once.
 */
export const visitorReads = (table: Reads, props: VisitorReadsProps = {}) => {
  const { hasty = table, count = () => undefined, memory = memoryTimes, random = Math.random } = props;
  const rests = new Rests({ random });
  const items = copies<Item | undefined>({ freshMs: 0, ...ofItems, rests, random });
  const owners = copies<Item | undefined>({ freshMs: memory.host, ...ofItems, rests, random });
  const patient = sparing(table, rests);
  const read = (key: Key) => (isKnown: boolean) => (isKnown ? hasty : patient).get(key);

  const list = (PK: string, freshMs: number) => {
    const onCopy = () => count('TakedownsStale');
    const names = copies<ReadonlySet<string>>({ freshMs, ...ofLists, rests, random, onCopy });
    const ask = async () => {
      if (rests.has(PK)) throw new Error('It could not be read a moment ago');
      return sortKeysOf(hasty, PK);
    };
    let asking: Promise<ReadonlySet<string> | undefined> | undefined;
    const unread = (): undefined => {
      if (!rests.has(PK)) rests.begin(PK, longestRestMs);
    };
    return async (): Promise<ReadonlySet<string>> => {
      asking ??= names
        .read(PK, ask)
        .catch(unread)
        .finally(() => {
          asking = undefined;
        });
      const found = await asking;
      // Nothing is known yet. Links say by themselves that they are blocked, so visitors are sent on.
      if (!found) count('TakedownsUnread');
      return found ?? new Set();
    };
  };

  return {
    /** An item as it is now, or while the table can't be read, as it was up to five seconds ago. */
    item: (key: Key) => items.read(nameOf(key), read(key), (item) => item !== undefined),
    /** An item that may be five seconds old. That there was none counts only for callers that trust it. */
    recentItem: (key: Key, { trustAbsence }: { readonly trustAbsence: boolean }) =>
      owners.read(nameOf(key), read(key), (item) => item !== undefined || trustAbsence),
    /** Ids of the suspended projects. */
    suspended: list(partitions.suspended, memory.suspension),
    /** The hosts to which no link may lead. */
    blocked: list(partitions.blocked, memory.blocking),
    /** All items of a partition. */
    all: (PK: string) => patient.query({ ...itemsOf(PK), ConsistentRead: false }),
    count,
  };
};

/** After a read that got no response in all its time, reads fail at once for a moment: visitors learn early that they must come again. */
const sparing = (table: Reads, rests: Rests): Reads => {
  const everything = '';
  let reason: unknown;
  const spare = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (rests.has(everything)) throw reason;
    try {
      return await read();
    } catch (error) {
      if (!['busy', 'refused'].includes(errorKindOf(error))) {
        rests.begin(everything, longestRestMs);
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

import { memoryMs } from '../base/memory-times.ts';
import { kindOf } from '../table/errors.ts';
import { type Key, partitions } from '../table/keys.ts';
import { itemsOf } from '../table/ranges.ts';
import type { Item, Table } from '../table/table.ts';

type Reads = Pick<Table, 'get' | 'query'>;

/** Metrics of what could not be read; visitors are served without it. */
export type Unread = 'AppUnread' | 'TakedownsStale' | 'TakedownsUnread';

export interface VisitorReadsProps {
  /** Gives up early: for reads that a copy can answer, and for lists. @default the table itself */
  readonly hasty?: Reads;
  readonly count?: (metric: Unread) => void;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** Every read on a visitor's way. */
export interface VisitorReads {
  /** An item as it is now, or while the table can't be read, as it was up to five seconds ago. */
  item(key: Key): Promise<Item | undefined>;
  /** An item that may be five seconds old. That there was none counts only for callers that trust it. */
  recentItem(key: Key, options: { readonly trustAbsence: boolean }): Promise<Item | undefined>;
  /** Ids of the suspended projects. */
  suspended(): Promise<ReadonlySet<string>>;
  /** The hosts to which no link may lead. */
  denied(): Promise<ReadonlySet<string>>;
  /** All items of a partition, as they are now. */
  all(PK: string): Promise<Item[]>;
  readonly count: (metric: Unread) => void;
}

/** How old a copy of an item may be, in milliseconds; docs promise it. */
const oldestMs = 5000;
/** Items that a container keeps of each kind. */
const most = 500;

/**
 * Reads as a container makes them for visitors: patient, and with copies of what it has read for the time in which the
 * table can't be read. That a link is absent is never kept, so guessed codes fill no memory and new links work at once.
 */
export const visitorReads = (table: Reads, props: VisitorReadsProps = {}): VisitorReads => {
  const { hasty = table, count = () => undefined, random = Math.random } = props;
  const items = copies<Item | undefined>({ freshMs: 0, oldestMs, firstRestMs: 250, random });
  const owners = copies<Item | undefined>({ freshMs: memoryMs.host, oldestMs, firstRestMs: 250, random });
  const patient = sparing(table, random);
  const read = (key: Key) => (isKnown: boolean) => (isKnown ? hasty : patient).get(key);

  const list = (PK: string, freshMs: number) => {
    const names = copies<ReadonlySet<string>>({
      freshMs,
      // An outage must not put back what operators have taken down.
      oldestMs: Infinity,
      firstRestMs: longestRestMs,
      random,
      onCopy: () => count('TakedownsStale'),
    });
    let asking: Promise<ReadonlySet<string>> | undefined;
    let restsUntil = 0;
    return async (): Promise<ReadonlySet<string>> => {
      if (!asking && Date.now() < restsUntil) return unread();
      asking ??= names
        .read(PK, () => sortKeysOf(hasty, PK))
        .finally(() => {
          asking = undefined;
        });
      try {
        return await asking;
      } catch {
        // Nothing is known yet. Links say by themselves that they are blocked, so visitors are sent on.
        restsUntil = Date.now() + restOf(longestRestMs, random);
        return unread();
      }
    };
  };
  const unread = (): ReadonlySet<string> => {
    count('TakedownsUnread');
    return new Set();
  };

  return {
    item: (key) => items.read(`${key.PK} ${key.SK}`, read(key), (item) => item !== undefined),
    recentItem: (key, { trustAbsence }) =>
      owners.read(`${key.PK} ${key.SK}`, read(key), (item) => item !== undefined || trustAbsence),
    suspended: list(partitions.suspended, memoryMs.suspension),
    denied: list(partitions.denied, memoryMs.denial),
    all: (PK) => patient.query({ ...itemsOf(PK), ConsistentRead: false }),
    count,
  };
};

/** After a read that got no response in all its time, reads fail at once for a moment: visitors learn early that they must come again. */
const sparing = (table: Reads, random: () => number): Reads => {
  let restsUntil = 0;
  let reason: unknown;
  const spare = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    if (Date.now() < restsUntil) throw reason;
    try {
      return await read();
    } catch (error) {
      if (!['busy', 'refused'].includes(kindOf(error))) {
        restsUntil = Date.now() + restOf(longestRestMs, random);
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

interface Copying {
  /** How long a copy answers without a read, about: a fleet must not ask in step. */
  readonly freshMs: number;
  /** How old a copy may be that answers in place of a failed read. */
  readonly oldestMs: number;
  /** How long the table is left alone after a first refusal, at most. */
  readonly firstRestMs: number;
  readonly random: () => number;
  /** Called when a read failed that a copy answers. */
  readonly onCopy?: () => void;
}

interface Copy<Value> {
  readonly value: Value;
  /** From when it was asked on: what changes during the answer may not be in it. */
  readonly asked: number;
  readonly freshUntil: number;
  failures: number;
  restsUntil: number;
}

const longestRestMs = 2000;

/** At least half of it, so that a failing table is asked less often by each container, and by no two at the same time. */
const restOf = (ms: number, random: () => number): number => (ms * (1 + random())) / 2;

/** Copies of what was read, by name, and the rule by which they answer. */
const copies = <Value>({ freshMs, oldestMs, firstRestMs, random, onCopy }: Copying) => {
  const known = new Map<string, Copy<Value>>();
  const keep = (name: string, value: Value, asked: number) => {
    const freshUntil = asked + freshMs * (0.8 + 0.4 * random());
    // One response doesn't mean that there is room again: while a fleet asks too much, each of its containers may go on for long.
    const failures = Math.max(0, (known.get(name)?.failures ?? 0) - 1);
    // The oldest one is the first.
    known.delete(name);
    if (known.size >= most) known.delete(known.keys().next().value ?? '');
    known.set(name, { value, asked, freshUntil, failures, restsUntil: 0 });
  };
  /** A copy that may still be used, if it says what the caller takes. */
  const usable = (name: string, takes: (value: Value) => boolean, at: number): Copy<Value> | undefined => {
    const copy = known.get(name);
    return copy && at - copy.asked < oldestMs && takes(copy.value) ? copy : undefined;
  };
  return {
    /** Throws what the read throws if no copy can answer. */
    async read(
      name: string,
      ask: (isKnown: boolean) => Promise<Value>,
      takes: (value: Value) => boolean = () => true,
    ): Promise<Value> {
      const asked = Date.now();
      const copy = usable(name, takes, asked);
      if (copy && asked < Math.max(copy.freshUntil, copy.restsUntil)) return copy.value;
      try {
        const value = await ask(copy !== undefined);
        const other = known.get(name);
        if (!other || other.asked <= asked) {
          if (freshMs > 0 || takes(value)) keep(name, value, asked);
          else known.delete(name);
        }
        return value;
      } catch (error) {
        const kept = usable(name, takes, Date.now());
        // It grew too old meanwhile, so this read was a hasty one.
        if (copy && !kept) return this.read(name, ask, takes);
        if (!kept) throw error;
        onCopy?.();
        const mostFailures = 1 + Math.log2(longestRestMs / firstRestMs);
        kept.failures = kindOf(error) === 'busy' ? Math.min(kept.failures + 1, mostFailures) : mostFailures;
        const now = Date.now();
        const restMs = restOf(firstRestMs * 2 ** (kept.failures - 1), random);
        // The older it is, the sooner it needs an answer.
        kept.restsUntil = now + Math.min(restMs, (oldestMs - (now - kept.asked)) / 2);
        return kept.value;
      }
    },
  };
};

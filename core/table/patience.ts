import { AwsError, type ErrorKind, errorKindOf } from './errors.ts';
import { ConditionFailed } from './table.ts';
import { itemOfWire, type WireItem } from './wire-values.ts';

/** How long, and how often, a call is repeated that the table could not carry out. */
export interface Patience {
  /** For a call and its repetitions together, in milliseconds. */
  readonly deadlineMs: number;
  readonly attempts: number;
  /** Whether a call for which the table is too busy counts as an attempt, waits until the deadline, or ends. */
  readonly whileBusy: 'count' | 'wait' | 'end';
  /** The longest pause before the second attempt; it doubles with each further one, up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Whether a throttled read may finally be answered by an older copy. */
  readonly readsOlder: boolean;
}

/** For a visitor who waits: slightly stale data rather than an error. */
export const forVisitors: Patience = {
  deadlineMs: 3000,
  attempts: 3,
  whileBusy: 'wait',
  firstPauseMs: 30,
  longestPauseMs: 200,
  readsOlder: true,
};

/** For a click, which a queue takes if the table is busy. A visitor waits for it, and a click is worth a moment. */
export const forClicks: Patience = { ...forVisitors, deadlineMs: 1000, attempts: 2, whileBusy: 'end' };

/** For a write that would count twice if it was repeated. */
export const once: Patience = { ...forClicks, attempts: 1 };

/** For API calls: return current data or ask the client to retry. These functions time out after ten seconds. */
export const forClients: Patience = {
  deadlineMs: 8000,
  attempts: 10,
  whileBusy: 'count',
  firstPauseMs: 20,
  longestPauseMs: 320,
  readsOlder: false,
};

/** For what comes again if it fails, such as a batch of the stream. */
export const forBackground: Patience = { ...forClients, deadlineMs: 10_000 };

/** For an operator's command, which had better wait than end half-way. */
export const forOperators: Patience = {
  ...forClients,
  deadlineMs: 30_000,
  attempts: 20,
  longestPauseMs: 1000,
};

export interface TableProps {
  /** The table's name. */
  readonly name: string;
  readonly patience: Patience;
  /** Chooses the lengths of pauses, from 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** When the caller gives up in any case, in epoch milliseconds. @default never */
  readonly until?: number;
}

/** How an attempt is made, as the ones before it suggest. */
export interface Manner {
  readonly until: number;
  readonly isFresh: boolean;
  readonly isOlder: boolean;
}

/** Makes a call until it succeeds, fails for good, or the patience ends: one loop and one deadline for all calls. */
export const repeater =
  ({ patience, until: latest = Infinity, random = Math.random }: Omit<TableProps, 'name'>) =>
  async <Result>(make: (manner: Manner) => Promise<Result>): Promise<Result> => {
    const { deadlineMs, attempts, whileBusy, readsOlder } = patience;
    const until = Math.min(Date.now() + deadlineMs, latest);
    let manner: Manner = { until, isFresh: false, isOlder: false };
    let isRepeated = false;
    let attempt = 1;
    for (let repetition = 1; ; repetition += 1) {
      try {
        return await make(manner);
      } catch (error) {
        const kind = errorKindOf(error);
        if (error instanceof AwsError) error.isRepeated = isRepeated;
        if (kind === 'condition') throw conditionFailure(error as AwsError);
        if (kind === 'refused' || (kind === 'busy' && whileBusy === 'end')) throw error;
        isRepeated ||= kind !== 'busy';
        // One attempt is one: a server that dies may have read the request from a connection that then seems dead.
        const isWaiting = uncounted.includes(kind) || (kind === 'busy' && whileBusy === 'wait');
        if (attempts === 1 || !isWaiting) attempt += 1;
        const pauseMs = longestPause(patience, kind, repetition) * (kind === 'in-progress' ? 1 : random());
        if (attempt > attempts || Date.now() + pauseMs >= until) throw error;
        manner = {
          until,
          // A pooled connection may be what fails. A throttle is no fault of it, and a new one costs both sides.
          isFresh: kind === 'timeout' || (kind === 'lost' && attempt === attempts),
          isOlder: kind === 'busy' && repetition > 1 && readsOlder,
        };
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };

/** A container that was frozen wakes up with dead connections; a transaction that still runs only takes time. */
const uncounted: readonly ErrorKind[] = ['dead-connection', 'in-progress'];

const longestPause = (
  { firstPauseMs, longestPauseMs }: Patience,
  kind: ErrorKind,
  repetition: number,
): number => {
  if (kind === 'timeout' || kind === 'dead-connection') return 0;
  if (kind === 'in-progress') return longestPauseMs;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (repetition - 1));
};

const conditionFailure = ({ item, reasons, isRepeated }: AwsError): ConditionFailed => {
  const part = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const held = part < 0 ? item : reasons[part]?.Item;
  const found = held ? itemOfWire(held as WireItem) : undefined;
  // By its token, a transaction that was made at an earlier attempt doesn't fail.
  return part < 0 ? new ConditionFailed(found, { isRepeated }) : new ConditionFailed(found, { part });
};

import { AwsError, type ErrorKind, errorKindOf } from './errors.ts';
import { ConditionFailed } from './table.ts';
import { itemOfWire, type WireItem } from './wire-values.ts';

/**
 * A retry policy for calls to the table: how long, and how often. This module has the only retry loop. With three layers
 * of retries, one conflict was sent 50 times in five seconds.
 */
export interface RetryPolicy {
  /** Deadline for a call with all its retries, in milliseconds. */
  readonly deadlineMs: number;
  readonly attempts: number;
  /** Whether a throttled call counts as an attempt, is retried until the deadline, or fails at once. */
  readonly whileBusy: 'count' | 'wait' | 'end';
  /** The longest pause before the second attempt; it doubles each time, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Whether a throttled read may be retried as an eventually consistent one. */
  readonly readsOlder: boolean;
}

/** For visitors, who prefer slightly stale data to an error. */
export const forVisitors: RetryPolicy = {
  deadlineMs: 3000,
  attempts: 3,
  whileBusy: 'wait',
  firstPauseMs: 30,
  longestPauseMs: 200,
  readsOlder: true,
};

/** For clicks. A visitor waits for the write, and a queue takes the click if the table is busy. */
export const forClicks: RetryPolicy = { ...forVisitors, deadlineMs: 1000, attempts: 2, whileBusy: 'end' };

/** For writes that would count twice if they were retried. */
export const once: RetryPolicy = { ...forClicks, attempts: 1 };

/** For API calls, which return current data or ask the client to retry. Their functions time out after ten seconds. */
export const forClients: RetryPolicy = {
  deadlineMs: 8000,
  attempts: 10,
  whileBusy: 'count',
  firstPauseMs: 20,
  longestPauseMs: 320,
  readsOlder: false,
};

/** For work that is redelivered if it fails, such as a batch of the stream. */
export const forBackground: RetryPolicy = { ...forClients, deadlineMs: 10_000 };

/** For operators' commands, which should rather wait than stop half-way. */
export const forOperators: RetryPolicy = {
  ...forClients,
  deadlineMs: 30_000,
  attempts: 20,
  longestPauseMs: 1000,
};

export interface TableProps {
  readonly name: string;
  readonly policy: RetryPolicy;
  /** Source of the pauses' jitter, from 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** When the caller gives up in any case, in epoch milliseconds. @default never */
  readonly until?: number;
}

/** Options for an attempt, chosen by how earlier ones failed. */
export interface AttemptOptions {
  readonly until: number;
  readonly isFresh: boolean;
  readonly isOlder: boolean;
}

/** Retries a call until it succeeds, fails permanently, or the policy's limit is reached. */
export const retrier =
  ({ policy, until: latest = Infinity, random = Math.random }: Omit<TableProps, 'name'>) =>
  async <Result>(make: (options: AttemptOptions) => Promise<Result>): Promise<Result> => {
    const { deadlineMs, attempts, whileBusy, readsOlder } = policy;
    const until = Math.min(Date.now() + deadlineMs, latest);
    let options: AttemptOptions = { until, isFresh: false, isOlder: false };
    let isRepeated = false;
    let attempt = 1;
    for (let repetition = 1; ; repetition += 1) {
      try {
        return await make(options);
      } catch (error) {
        const kind = errorKindOf(error);
        if (error instanceof AwsError) error.isRepeated = isRepeated;
        if (kind === 'condition') throw conditionFailure(error as AwsError);
        if (kind === 'refused' || (kind === 'busy' && whileBusy === 'end')) throw error;
        isRepeated ||= kind !== 'busy';
        // A single attempt is never repeated: the server may have processed it before the connection died.
        const isWaiting = uncounted.includes(kind) || (kind === 'busy' && whileBusy === 'wait');
        if (attempts === 1 || !isWaiting) attempt += 1;
        const pauseMs = longestPause(policy, kind, repetition) * (kind === 'in-progress' ? 1 : random());
        if (attempt > attempts || Date.now() + pauseMs >= until) throw error;
        options = {
          until,
          // The pooled connection may be at fault, except for throttling; a new one costs both sides.
          isFresh: kind === 'timeout' || (kind === 'lost' && attempt === attempts),
          isOlder: kind === 'busy' && repetition > 1 && readsOlder,
        };
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  };

/** Kinds that don't count as attempts: a frozen container has dead connections, and a running transaction needs time. */
const uncounted: readonly ErrorKind[] = ['dead-connection', 'in-progress'];

const longestPause = ({ firstPauseMs, longestPauseMs }: RetryPolicy, kind: ErrorKind, repetition: number) => {
  if (kind === 'timeout' || kind === 'dead-connection') return 0;
  if (kind === 'in-progress') return longestPauseMs;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (repetition - 1));
};

const conditionFailure = ({ item, reasons, isRepeated }: AwsError): ConditionFailed => {
  const part = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const held = part < 0 ? item : reasons[part]?.Item;
  const found = held ? itemOfWire(held as WireItem) : undefined;
  // A transaction's token makes retries succeed if an earlier attempt did, so its condition failed on others' writes.
  return part < 0 ? new ConditionFailed(found, { isRepeated }) : new ConditionFailed(found, { part });
};

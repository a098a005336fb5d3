import { type ErrorKind, kindOf, TableError } from '../../core/table/errors.ts';
import type { LinkId } from '../../core/table/keys.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { countMetric } from '../log.ts';

interface Recorded extends LinkId {
  /** What is written, to be written later. */
  readonly write: () => VisitorWrite;
  /** Writes it now. */
  readonly record: () => Promise<void>;
}

/**
 * For how long clicks go straight to the queue, at most: those of a partition key for which the table was too busy, and
 * all if it didn't respond, because each would wait a second for that.
 */
const longestRestMs = { busy: 300, unanswered: 5000 } as const;
const mostResting = 2000;

/**
 * Writes clicks and opens, or puts them aside to be written later. Never rejects: visitors go on whatever becomes of the
 * counting.
 */
export const recorder = (putAside: PutAside) => {
  /** Partition keys by the time at which the table is asked again. */
  const resting = new Map<string, number>();
  let allRestUntil = 0;

  const rest = (PK: string, kind: ErrorKind): void => {
    if (kind === 'refused') return;
    if (kind !== 'busy') {
      allRestUntil = Date.now() + ((1 + Math.random()) * longestRestMs.unanswered) / 2;
      return;
    }
    if (resting.size >= mostResting) resting.clear();
    resting.set(PK, Date.now() + Math.random() * longestRestMs.busy);
  };

  /** Without a refusal before, nothing is computed for it. */
  const isResting = (write: Recorded['write']): boolean => {
    const now = Date.now();
    return now < allRestUntil || (resting.size > 0 && now < (resting.get(write().Key.PK) ?? 0));
  };

  return async ({ project, code, write, record }: Recorded): Promise<void> => {
    let isSure = true;
    try {
      if (!isResting(write)) return await record();
    } catch (error) {
      rest(write().Key.PK, kindOf(error));
      isSure = isRefused(error);
    }
    try {
      await putAside({ write: write(), isSure });
      countMetric('ClickQueued', { project, code });
    } catch (error) {
      countMetric('ClickLost', { project, code, reason: reasonOf(error) });
    }
  };
};

/** Whether the table has certainly not made the write. */
const isRefused = (error: unknown): boolean =>
  error instanceof TableError && !error.isRepeated && ['busy', 'refused'].includes(kindOf(error));

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

import type { PutAside } from '../../core/clicks/click-queue.ts';
import type { VisitorWrite } from '../../core/clicks/click-store.ts';
import { kindOf, TableError } from '../../core/table/errors.ts';
import { countMetric } from '../log.ts';

interface Recorded {
  readonly project: string;
  readonly code: string;
  /** What is written, to be written later. */
  readonly write: () => VisitorWrite;
  /** Writes it now. */
  readonly record: () => Promise<void>;
}

/** The longest for which a link's clicks go straight to the queue, once the table had no room for one. */
const restMs = 300;
const mostResting = 500;

/**
 * Writes clicks and opens, or puts them aside to be written later. Never rejects: visitors go on whatever becomes of the
 * counting.
 */
export const recorder = (putAside: PutAside) => {
  /** Links by the time at which the table is asked again. */
  const resting = new Map<string, number>();

  const rest = (link: string): void => {
    if (resting.size >= mostResting) resting.clear();
    resting.set(link, Date.now() + Math.random() * restMs);
  };

  return async ({ project, code, write, record }: Recorded): Promise<void> => {
    const link = `${project}#${code}`;
    let isSure = true;
    try {
      if (Date.now() >= (resting.get(link) ?? 0)) return await record();
    } catch (error) {
      if (kindOf(error) === 'busy') rest(link);
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

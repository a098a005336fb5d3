import { Rests } from '../../core/base/rests.ts';
import type { Granted } from '../../core/stores.ts';
import { AwsError, errorKindOf } from '../../core/table/errors.ts';
import { linkOfVisitor } from '../../core/table/figure-keys.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { countMetric, gatheredMetric } from '../frame/log.ts';

/**
 * For how long clicks go straight to the queue, at most: those of a partition key for which the table was too busy, and
 * all if it didn't respond, because each would wait a second for that.
 */
const longestRestMs = { busy: 200, unanswered: 5000 } as const;
const everything = '';

/**
 * Writes clicks and opens, or puts them aside to be written later. Never rejects: visitors go on whatever becomes of the
 * counting.
 */
export const recorder = ({ clicks }: Granted<'clicks.record'>, putAside: PutAside) => {
  const rests = new Rests();
  const countQueued = gatheredMetric('ClickQueued');
  // Only for the alarm on readers that were stopped, so a line a minute is enough.
  const countWritten = gatheredMetric('ClickWritten', 60_000);

  const rest = (PK: string, error: unknown): void => {
    const kind = errorKindOf(error);
    if (kind === 'busy') rests.begin(PK, longestRestMs.busy);
    else if (kind !== 'refused') rests.begin(everything, longestRestMs.unanswered);
  };

  return async (write: VisitorWrite): Promise<void> => {
    const { PK } = write.Key;
    let isSure = true;
    try {
      if (!rests.has(everything) && !rests.has(PK)) {
        await clicks.record(write);
        return countWritten({});
      }
    } catch (error) {
      rest(PK, error);
      isSure = isRefused(error);
    }
    try {
      await putAside({ write, isSure });
      countQueued({ ...linkOfVisitor(PK) });
    } catch (error) {
      countMetric('ClickLost', { ...linkOfVisitor(PK), reason: reasonOf(error) });
    }
  };
};

/** Whether the table has certainly not made the write. */
const isRefused = (error: unknown): boolean =>
  error instanceof AwsError && !error.isRepeated && ['busy', 'refused'].includes(errorKindOf(error));

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

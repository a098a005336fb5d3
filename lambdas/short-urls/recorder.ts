import { Backoffs } from '../../core/base/backoffs.ts';
import type { Granted } from '../../core/stores.ts';
import { linkOfVisitor } from '../../core/table/analytics-keys.ts';
import { AwsError, errorKindOf } from '../../core/table/errors.ts';
import type { EnqueueClick } from '../../core/visits/click-queue.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { batchedMetric, countMetric } from '../frame/log.ts';

/**
 * The longest time in which clicks go straight to the queue, in milliseconds: those of a throttled partition key, and
 * all if the table didn't respond, because each would wait a second for that.
 */
const longestBackoffMs = { busy: 200, unanswered: 5000 } as const;
const everything = '';

/** Writes clicks and opens, or queues them to be written later. Never rejects, because visitors go on even if counting fails. */
export const recorder = ({ clicks }: Granted<'clicks.record'>, enqueueClick: EnqueueClick) => {
  const backoffs = new Backoffs();
  const countQueued = batchedMetric('ClickQueued');
  // A line a minute is enough for the alarm on stopped readers.
  const countWritten = batchedMetric('ClickWritten', 60_000);

  const backOff = (PK: string, error: unknown): void => {
    const kind = errorKindOf(error);
    if (kind === 'busy') backoffs.begin(PK, longestBackoffMs.busy);
    else if (kind !== 'refused') backoffs.begin(everything, longestBackoffMs.unanswered);
  };

  return async (write: VisitorWrite): Promise<void> => {
    const { PK } = write.Key;
    let isSure = true;
    try {
      if (!backoffs.has(everything) && !backoffs.has(PK)) {
        await clicks.record(write);
        return countWritten({});
      }
    } catch (error) {
      backOff(PK, error);
      isSure = isRefused(error);
    }
    try {
      await enqueueClick({ write, isSure });
      countQueued({ ...linkOfVisitor(PK) });
    } catch (error) {
      countMetric('ClickLost', { ...linkOfVisitor(PK), reason: reasonOf(error) });
    }
  };
};

/** Whether the write certainly failed. */
const isRefused = (error: unknown): boolean =>
  error instanceof AwsError && !error.isRepeated && ['busy', 'refused'].includes(errorKindOf(error));

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

import { Rests } from '../../core/base/rests.ts';
import type { Granted } from '../../core/stores.ts';
import { AwsError, errorKindOf } from '../../core/table/errors.ts';
import { linkOfVisitor } from '../../core/table/figure-keys.ts';
import type { PutAside } from '../../core/visits/click-queue.ts';
import type { VisitorWrite } from '../../core/visits/click-store.ts';
import { countMetric, gatheredMetric } from '../frame/log.ts';

/**
 * The longest time in which clicks go straight to the queue, in milliseconds: those of a throttled partition key, and
 * all if the table didn't respond, because each would wait a second for that.
 */
const longestRestMs = { busy: 200, unanswered: 5000 } as const;
const everything = '';

/** Writes clicks and opens, or queues them to be written later. Never rejects, because visitors go on even if counting fails. */
export const recorder = ({ clicks }: Granted<'clicks.record'>, putAside: PutAside) => {
  const rests = new Rests();
  const countQueued = gatheredMetric('ClickQueued');
  // A line a minute is enough for the alarm on stopped readers.
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

/** Whether the write certainly failed. */
const isRefused = (error: unknown): boolean =>
  error instanceof AwsError && !error.isRepeated && ['busy', 'refused'].includes(errorKindOf(error));

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

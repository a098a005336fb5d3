import type { ShardRecords } from '../analytics/analytics-items.ts';
import { Backoffs } from '../base/backoffs.ts';
import { AwsError } from '../table/errors.ts';
import { type AttemptOptions, forBackground, type RetryPolicy, retrier } from '../table/retry-policy.ts';
import { type Pack, packsOf } from './click-rows.ts';
import type { PutRecords } from './firehose.ts';
import type { KeepRows } from './kept-rows.ts';

/** Exports clicks. Never rejects, so that analytics don't depend on it. */
export type DeliverClicks = ReturnType<typeof clickDelivery>;

interface Delivery {
  readonly put: PutRecords;
  /** Stores rows that the export doesn't take. */
  readonly keep: KeepRows;
  /** @default a moment, because analytics wait for it */
  readonly policy?: RetryPolicy;
}

const brief: RetryPolicy = { ...forBackground, deadlineMs: 2000, attempts: 3, firstPauseMs: 100 };
/** The longest time after a failure in which a shard's rows go into files, so that a slow export doesn't delay analytics. */
const longestBackoffMs = 30_000;
/** Packs in a call, which takes 500 records and 4 MiB. */
const packsAtOnce = 4;

/** Exports each click at least once. Retries only rejected ones, a few times, and stores the rest as files. */
export const clickDelivery = ({ put, keep, policy = brief }: Delivery) => {
  const backoffs = new Backoffs();
  const repeat = retrier({ policy });
  return async (clicks: ShardRecords) => {
    let left: readonly Pack[] = packsOf(clicks);
    let reason: unknown;
    try {
      if (!backoffs.has(clicks.shard))
        await repeat(async (attempt) => {
          left = await putEach(put, left, attempt);
          if (left.length > 0) throw new AwsError({ name: 'UnprocessedRecords' });
        });
    } catch (error) {
      reason = error;
      backoffs.begin(clicks.shard, longestBackoffMs);
    }
    return keepAll(keep, left, reason);
  };
};

/** Puts packs. Resolves to those that weren't accepted. */
const putEach = async (put: PutRecords, packs: readonly Pack[], attempt: AttemptOptions): Promise<Pack[]> => {
  const refused: Pack[] = [];
  for (let done = 0; done < packs.length; done += packsAtOnce) {
    const some = packs.slice(done, done + packsAtOnce);
    const taken = await put(
      some.map(({ data }) => data),
      attempt,
    );
    refused.push(...some.filter((_, i) => !taken[i]));
  }
  return refused;
};

/** Stores packs as files. Resolves to the numbers of `delayed` rows, in files, and of `lost` ones, with the last error. */
const keepAll = async (keep: KeepRows, packs: readonly Pack[], why: unknown) => {
  let [delayed, lost, reason] = [0, 0, why];
  for (const { name, data, rows } of packs) {
    try {
      await keep(name, data);
      delayed += rows;
    } catch (error) {
      lost += rows;
      reason = error;
    }
  }
  return { delayed, lost, reason };
};

import { Rests } from '../base/rests.ts';
import type { ShardRecords } from '../figures/figure-items.ts';
import { AwsError } from '../table/errors.ts';
import { forBackground, type Manner, type Patience, repeater } from '../table/patience.ts';
import { type Pack, packsOf } from './click-rows.ts';
import type { PutRecords } from './firehose.ts';
import type { KeepRows } from './kept-rows.ts';

/** Exports clicks. Never rejects, so that figures don't depend on it. */
export type DeliverClicks = ReturnType<typeof clickDelivery>;

interface Delivery {
  readonly put: PutRecords;
  /** Stores rows that the export doesn't take. */
  readonly keep: KeepRows;
  /** @default a moment, because figures wait for it */
  readonly patience?: Patience;
}

const aMoment: Patience = { ...forBackground, deadlineMs: 2000, attempts: 3, firstPauseMs: 100 };
/** The longest time after a failure in which a shard's rows go into files, so that a slow export doesn't delay figures. */
const longestRestMs = 30_000;
/** Packs in a call, which takes 500 records and 4 MiB. */
const packsAtOnce = 4;

/** Exports each click at least once. Retries only rejected ones, a few times, and stores the rest as files. */
export const clickDelivery = ({ put, keep, patience = aMoment }: Delivery) => {
  const rests = new Rests();
  const repeat = repeater({ patience });
  return async (clicks: ShardRecords) => {
    let left: readonly Pack[] = packsOf(clicks);
    let reason: unknown;
    try {
      if (!rests.has(clicks.shard))
        await repeat(async (manner) => {
          left = await putEach(put, left, manner);
          if (left.length > 0) throw new AwsError({ name: 'UnprocessedRecords' });
        });
    } catch (error) {
      reason = error;
      rests.begin(clicks.shard, longestRestMs);
    }
    return keepAll(keep, left, reason);
  };
};

/** Puts packs. Resolves to those that weren't accepted. */
const putEach = async (put: PutRecords, packs: readonly Pack[], manner: Manner): Promise<Pack[]> => {
  const refused: Pack[] = [];
  for (let done = 0; done < packs.length; done += packsAtOnce) {
    const some = packs.slice(done, done + packsAtOnce);
    const taken = await put(
      some.map(({ data }) => data),
      manner,
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

import { Rests } from '../base/rests.ts';
import type { ShardRecords } from '../figures/figure-items.ts';
import { AwsError } from '../table/errors.ts';
import { forBackground, type Manner, type Patience, repeater } from '../table/patience.ts';
import { type Pack, packsOf } from './click-rows.ts';
import type { PutRecords } from './firehose.ts';
import type { KeepRows } from './kept-rows.ts';

/** Puts clicks into the export. Never rejects: figures don't wait for it. */
export type DeliverClicks = ReturnType<typeof clickDelivery>;

interface Delivery {
  readonly put: PutRecords;
  /** Takes what the export doesn't. */
  readonly keep: KeepRows;
  /** @default a moment, because figures wait for it */
  readonly patience?: Patience;
}

const aMoment: Patience = { ...forBackground, deadlineMs: 2000, attempts: 3, firstPauseMs: 100 };
/** For this long after a failure, at most, a shard's rows go straight into files, so that a slow export slows no figures. */
const longestRestMs = 30_000;
/** A call takes 500 records and 4 MiB. */
const packsAtOnce = 4;

/** Puts each click at least once. Retries only the refused ones, a few times, and keeps what is left as files. */
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

/** Resolves to the packs that were not taken. */
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

/** How many rows did not reach the export, and what kept the last of them away: `delayed` ones lie in files, `lost` ones nowhere. */
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

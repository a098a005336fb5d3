import type { ClickRecord } from './click.ts';
import { type CountedClicks, type Pack, packsOf } from './click-rows.ts';

/** Puts records into a stream. Resolves to whether each was accepted; throws if the whole call failed. */
export type PutRecords = (records: readonly string[]) => Promise<readonly boolean[]>;

/** Puts clicks into the export. Resolves to the refused ones, which have to be delivered again. */
export type DeliverClicks = (clicks: CountedClicks) => Promise<readonly ClickRecord[]>;

const attempts = 3;
const pauseMs = 100;
/** A call takes 500 records and 4 MiB. */
const packsAtOnce = 4;

/** Puts each click at least once. Retries only the refused ones, a few times. */
export const clickDelivery =
  (put: PutRecords): DeliverClicks =>
  async (clicks) => {
    let left: readonly Pack[] = packsOf(clicks);
    for (let attempt = 1; left.length > 0; attempt += 1) {
      left = await putEach(put, left);
      if (left.length === 0 || attempt === attempts) break;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * attempt));
    }
    return left.flatMap(({ records }) => records);
  };

/** Resolves to the packs that were not taken. */
const putEach = async (put: PutRecords, packs: readonly Pack[]): Promise<Pack[]> => {
  const refused: Pack[] = [];
  for (let done = 0; done < packs.length; done += packsAtOnce) {
    const some = packs.slice(done, done + packsAtOnce);
    const taken = await put(some.map(({ data }) => data));
    refused.push(...some.filter((_, i) => !taken[i]));
  }
  return refused;
};

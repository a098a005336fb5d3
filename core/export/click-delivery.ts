import { type CountedClicks, type Pack, packsOf } from './click-rows.ts';
import type { KeepRows } from './kept-rows.ts';

/** Puts records into a stream. Resolves to whether each was accepted; throws if the whole call failed. */
export type PutRecords = (records: readonly string[]) => Promise<readonly boolean[]>;

/** How many rows did not reach the export: `delayed` ones lie in files, `lost` ones nowhere. */
interface Undelivered {
  readonly delayed: number;
  readonly lost: number;
  /** What kept the last of them away. */
  readonly reason?: unknown;
}

/** Puts clicks into the export. Never rejects: figures don't wait for it. */
export type DeliverClicks = (clicks: CountedClicks) => Promise<Undelivered>;

export interface Delivery {
  readonly put: PutRecords;
  /** Takes what the export doesn't. */
  readonly keep: KeepRows;
  /** For how long new attempts may begin. @default 2000 */
  readonly attemptMs?: number;
}

const attempts = 3;
const pauseMs = 100;
/** For this long after a failure, a shard's rows go straight into files, so that a slow export slows no figures. */
const restMs = 30_000;
/** A call takes 500 records and 4 MiB. */
const packsAtOnce = 4;

/** Puts each click at least once. Retries only the refused ones, a few times, and keeps what is left as files. */
export const clickDelivery = ({ put, keep, attemptMs = 2000 }: Delivery): DeliverClicks => {
  const restsUntil = new Map<string, number>();
  return async (clicks) => {
    const { shard } = clicks;
    const packs = packsOf(clicks);
    const isResting = Date.now() < (restsUntil.get(shard) ?? 0);
    const { left, reason } = isResting ? { left: packs } : await putAll(put, packs, Date.now() + attemptMs);
    if (left.length > 0 && !isResting) restsUntil.set(shard, Date.now() + restMs);
    return keepAll(keep, left, reason);
  };
};

const putAll = async (put: PutRecords, packs: readonly Pack[], until: number) => {
  let left = packs;
  let reason: unknown;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    try {
      left = await putEach(put, left);
      reason = new Error('Firehose has refused them');
    } catch (error) {
      reason = error;
    }
    if (attempt === attempts || Date.now() >= until) break;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMs * attempt));
  }
  return { left, reason };
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

const keepAll = async (keep: KeepRows, packs: readonly Pack[], why: unknown): Promise<Undelivered> => {
  let [delayed, lost, reason] = [0, 0, why];
  for (const { shard, data, records } of packs) {
    try {
      await keep(`rows/${shard}/${records[0]?.position}.ndjson`, data);
      delayed += records.length;
    } catch (error) {
      lost += records.length;
      reason = error;
    }
  }
  return { delayed, lost, reason };
};

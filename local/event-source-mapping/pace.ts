export interface Pace {
  /** The least time between two reads of a shard that is read to its end. */
  readonly pollMs: number;
  /** The same once many records come in. */
  readonly busyMs: number;
}

/** How long each record lengthens the rest: beyond some 200 a second a shard rests longer and longer. */
const recordMs = 5;

/**
 * The least time from a read that brought so many records to the next one. A function is invoked soon on a quiet shard,
 * and with large batches on a busy one, where one invocation can sum up what many records say.
 */
export function restAfter(records: number, { pollMs, busyMs }: Pace): number {
  return Math.max(pollMs, Math.min(busyMs, records * recordMs));
}

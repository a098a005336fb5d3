export interface Pace {
  /** The least time between two reads of a shard that is read to its end. */
  readonly pollMs: number;
  /** The same once many records come in. */
  readonly busyMs: number;
}

/** How long each record lengthens the rest: beyond some 200 a second a shard rests longer and longer. */
const recordMs = 5;

/**
 * The least time between a read of this many records and the next one. On a quiet shard the function is
 * invoked soon; on a busy one it gets large batches, in which it can add up many records at once.
 */
export function restAfter(records: number, { pollMs, busyMs }: Pace): number {
  return Math.max(pollMs, Math.min(busyMs, records * recordMs));
}

export interface Pace {
  /** Minimum milliseconds between two reads of a shard that has been read to its end. */
  readonly pollMs: number;
  /** The minimum under load. */
  readonly busyMs: number;
}

/** Milliseconds that each record adds to the pause: above some 200 records a second, pauses grow. */
const recordMs = 5;

/**
 * Minimum milliseconds between a read of this many records and the next one. On a quiet shard the function is invoked
 * soon; on a busy one it gets large batches, in which it can add up many records at once.
 */
export function restAfter(records: number, { pollMs, busyMs }: Pace): number {
  return Math.max(pollMs, Math.min(busyMs, records * recordMs));
}

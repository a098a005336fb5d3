/** State shared by an engine and the readers of its stream file. */
export interface HeldRecords {
  /** Records from this number on may not be on disk yet; 0: all are. */
  from: bigint;
  /** Every reader has finished records up to this number. */
  done: bigint;
}

/** The memory of it, shared by threads. */
export const sharedHold = (): SharedArrayBuffer => new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);

export function heldRecords(shared: SharedArrayBuffer): HeldRecords {
  const cells = new BigInt64Array(shared);
  return {
    get from() {
      return Atomics.load(cells, 0);
    },
    set from(number) {
      Atomics.store(cells, 0, number);
    },
    get done() {
      return Atomics.load(cells, 1);
    },
    set done(number) {
      Atomics.store(cells, 1, number);
    },
  };
}

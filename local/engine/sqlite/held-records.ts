/** What an engine and those who read its stream from the file tell each other. */
export interface HeldRecords {
  /** Records with this number and all behind it may not be on disk yet; 0: all are. */
  from: bigint;
  /** Every reader is done with the record of this number and all before it. */
  done: bigint;
}

/** What it is made of; threads share it. */
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

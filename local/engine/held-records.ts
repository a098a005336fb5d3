/**
 * Which stream records are held back because they may not be on disk yet: those with this number in the engine's file, and
 * all behind it.
 */
export interface HeldRecords {
  /** 0: none is. */
  from: bigint;
}

/** What it is made of; threads share it. */
export const sharedHold = (): SharedArrayBuffer => new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);

export function heldRecords(shared: SharedArrayBuffer): HeldRecords {
  const cell = new BigInt64Array(shared);
  return {
    get from() {
      return Atomics.load(cell, 0);
    },
    set from(number) {
      Atomics.store(cell, 0, number);
    },
  };
}

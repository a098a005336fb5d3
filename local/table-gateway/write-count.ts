/**
 * Counts the writes through the tables' gateway, for threads that would otherwise poll the engine for changes.
 */
export interface WriteCount {
  readonly value: number;
  /** Counts a write; called after it is made. */
  add(): void;
  /** Resolves when the count differs from this value, or when the signal aborts. */
  movedOn(from: number, signal: AbortSignal): Promise<void>;
}

/** The memory of a count, shared by threads. */
export const sharedCount = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

export function writeCount(shared: SharedArrayBuffer): WriteCount {
  const cell = new Int32Array(shared);
  const read = () => Atomics.load(cell, 0);
  let next: Promise<void> | undefined;
  /** All waiters of this thread share a wait, because a wait can't be cancelled. */
  const change = (from: number) => {
    if (next) return next;
    const { async: waits, value } = Atomics.waitAsync(cell, 0, from);
    if (!waits) return Promise.resolve();
    next = value.then(() => {
      next = undefined;
    });
    return next;
  };
  return {
    get value() {
      return read();
    },
    add: () => {
      Atomics.add(cell, 0, 1);
      Atomics.notify(cell, 0);
    },
    movedOn: async (from, signal) => {
      if (signal.aborted || read() !== from) return;
      const aborted = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => aborted.resolve(), { once: true });
      await Promise.race([change(from), aborted.promise]);
    },
  };
}

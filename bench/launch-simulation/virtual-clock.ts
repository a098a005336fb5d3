/** What is due at a time. */
interface Due {
  readonly at: number;
  /** Of two at the same time, the one that was planned first comes first. */
  readonly order: number;
  readonly act: () => void;
  isCancelled: boolean;
}

/** Of numbers from 0 up to 1, the same ones for the same seed. */
const seeded = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * A clock that stands still while anything is being done and then jumps to what is due next, so that hours of waiting take
 * seconds. While it is installed, `Date`, `setTimeout` and `Math.random` are its own: code that knows nothing of it lives
 * by it, as long as it waits for nothing but promises and timers.
 */
export class VirtualClock {
  readonly startedAt: number;
  now: number;
  readonly random: () => number;
  readonly #due: Due[] = [];
  #planned = 0;

  constructor(start: number, seed = 1) {
    this.startedAt = start;
    this.now = start;
    this.random = seeded(seed);
  }

  at(time: number, act: () => void): Due {
    const due = { at: Math.max(time, this.now), order: this.#planned, act, isCancelled: false };
    this.#planned += 1;
    this.#push(due);
    return due;
  }

  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + ms, resolve));
  }

  /** A time around a mean that is never below the least, and now and then much longer. */
  around(least: number, mean: number): number {
    return least - Math.log(1 - this.random()) * (mean - least);
  }

  /**
   * Does everything that is due, one after the other, until nothing is and the scene is over: what it waits for may be
   * nothing of this clock for a moment, such as a module that loads.
   */
  async run(scene?: Promise<unknown>): Promise<void> {
    let isOver = scene === undefined;
    const over = () => {
      isOver = true;
    };
    scene?.then(over, over);
    do {
      await this.#runAll();
      await new Promise(setImmediate);
    } while (!isOver || this.#due.length > 0);
  }

  async #runAll(): Promise<void> {
    for (let due = this.#pop(); due; due = this.#pop()) {
      if (due.isCancelled) continue;
      this.now = due.at;
      due.act();
      // All that follows from it without time passing is done before this resolves.
      await new Promise(setImmediate);
    }
  }

  /** Puts the clock in place of the real one. Call what it returns to end that. */
  install(): () => void {
    const real = { Date, setTimeout, clearTimeout, random: Math.random };
    const clock = this;
    class VirtualDate extends Date {
      constructor(...given: [] | ConstructorParameters<DateConstructor>) {
        if (given.length === 0) super(clock.now);
        else super(...given);
      }
      static override now = () => clock.now;
    }
    const later = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      Object.assign(
        clock.at(clock.now + ms, () => act(...given)),
        { unref: () => undefined },
      );
    const cancel = (due: Due | undefined) => {
      if (due) due.isCancelled = true;
    };
    // The types of Node's timers promise more than the code that is driven uses.
    Object.assign(globalThis, { Date: VirtualDate, setTimeout: later, clearTimeout: cancel });
    Math.random = this.random;
    return () => {
      const { random, ...globals } = real;
      Object.assign(globalThis, globals);
      Math.random = random;
    };
  }

  /** A binary heap: a scenario plans millions. */
  #push(due: Due): void {
    const heap = this.#due;
    let i = heap.push(due) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(due, heap[parent] as Due)) break;
      heap[i] = heap[parent] as Due;
      i = parent;
    }
    heap[i] = due;
  }

  #pop(): Due | undefined {
    const heap = this.#due;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (!isBefore(heap[child] as Due, last)) break;
      heap[i] = heap[child] as Due;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

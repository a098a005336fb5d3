/** A task that is due at a time. */
interface Due {
  readonly at: number;
  /** Tasks due at the same time run in the order of planning. */
  readonly order: number;
  readonly act: () => void;
  isCancelled: boolean;
}

/** A seeded random source of numbers in [0, 1). */
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
 * A clock that stands still while code runs and then jumps to the next task, so that hours of waiting take seconds.
 * While installed, it replaces `Date`, `setTimeout` and `Math.random`, so unchanged code follows it if it waits only
 * for promises and timers.
 */
export class VirtualClock {
  readonly startedAt: number;
  now: number;
  readonly random: () => number;
  readonly #due: Due[] = [];
  #planned = 0;

  constructor(start: number) {
    this.startedAt = start;
    this.now = start;
    this.random = seeded(1);
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

  /** A random time with this minimum and mean, and a long tail. */
  around(least: number, mean: number): number {
    return least - Math.log(1 - this.random()) * (mean - least);
  }

  /**
   * Runs due tasks one after the other until none is left and the scene is over: a scene may briefly wait for something
   * outside of this clock, such as a module that loads.
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
      // Work that follows without time passing finishes before this resolves.
      await new Promise(setImmediate);
    }
  }

  /** Replaces the real clock. The returned function restores it. */
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

  /** Adds to a binary heap: a scenario plans millions of tasks. */
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

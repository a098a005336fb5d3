/** What passes in a second, and what is at hand at once: a second's worth, if nothing else is said. */
export class Bucket {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #most: number;
  #level: number;
  #at: number;

  constructor(perSecond: number, now: () => number, most = perSecond) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#most = most;
    this.#level = most;
    this.#at = now();
  }

  /** Whether there is room; what is taken may go into debt, which the next ones wait for. */
  take(amount = 1): boolean {
    const now = this.#now();
    const gained = ((now - this.#at) / 1000) * this.#perSecond;
    this.#level = Math.min(this.#most, this.#level + gained);
    this.#at = now;
    if (this.#level <= 0) return false;
    this.#level -= amount;
    return true;
  }
}

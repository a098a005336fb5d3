/** A token bucket: the rate per second, and the burst, by default one second's worth. */
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

  /** Takes tokens if any are left. The balance may become negative, so later calls wait longer. */
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

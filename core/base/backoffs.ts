import { Bounded } from './bounded.ts';

/** Back-off after failures, by name. */
export class Backoffs {
  readonly #until = new Bounded<number>(2000);
  readonly #random: () => number;

  /** `random` is from 0 up to 1. */
  constructor({ random = Math.random } = {}) {
    this.#random = random;
  }

  /** Begins a back-off of 50–100 % of this time, so that containers don't retry in step. */
  begin(name: string, longestMs: number): void {
    this.#until.set(name, Date.now() + (longestMs * (1 + this.#random())) / 2);
  }

  has(name: string): boolean {
    return this.#until.size > 0 && Date.now() < (this.#until.get(name) ?? 0);
  }

  end(name: string): void {
    this.#until.delete(name);
  }
}

import { Bounded } from './bounded.ts';

interface RestsProps {
  /** Names that are remembered at most. @default 2000 */
  readonly most?: number;
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** What failed and is left alone for a moment, by name. */
export class Rests {
  readonly #until: Bounded<number>;
  readonly #random: () => number;

  constructor({ most = 2000, random = Math.random }: RestsProps = {}) {
    this.#until = new Bounded(most);
    this.#random = random;
  }

  /** Leaves something alone for half of this time to the whole of it, so that a fleet doesn't come back in step. */
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

import type { Part } from '../table/table.ts';
import type { Attempt } from './attempt.ts';
import type { Made, Memory, RetryStore } from './retry-store.ts';

/** The writes that remember a creation, for its transaction; none without an Idempotency-Key. */
export type Remember = (made: Made) => Part[];

/** A call that makes many things, each of them once. */
interface Many {
  /** What earlier calls have made already, by position. */
  readonly known: ReadonlyMap<number, Made>;
  readonly remember: (position: number) => Remember;
  /** What another call has made at a position in the meantime. */
  readonly recall: (position: number) => Promise<Made | undefined>;
}

/** What an endpoint needs so that a client can repeat a call. */
export interface Retry {
  /** Whether an earlier call with the key has made something: the response repeats it. */
  readonly isReplay: boolean;
  /** Makes one thing, or finds what the same call made before. */
  once(make: (remember: Remember) => Promise<Made>): Promise<Made>;
  /** Begins a call that makes many. `mayBegin` throws if a first call is not allowed; a repeated one is. */
  many(mayBegin: () => void): Promise<Many>;
}

const nothing: Many = { known: new Map(), remember: () => () => [], recall: async () => undefined };

/** A request without an Idempotency-Key: every call makes something new. */
const withoutRetry: Retry = {
  isReplay: false,
  once: (make) => make(() => []),
  many: async (mayBegin) => {
    mayBegin();
    return nothing;
  },
};

class RememberedRetry implements Retry {
  isReplay = false;
  readonly #store: RetryStore;
  readonly #attempt: Attempt;
  readonly #now: Date;

  constructor(store: RetryStore, attempt: Attempt, now: Date) {
    this.#store = store;
    this.#attempt = attempt;
    this.#now = now;
  }

  async once(make: (remember: Remember) => Promise<Made>): Promise<Made> {
    const known = await this.#find();
    if (known) return known.made;
    try {
      return await make((made) => [this.#store.remember(this.#attempt, made, this.#now)]);
    } catch (error) {
      // Another call with the key may have been faster, or the response to our write was lost.
      const other = await this.#find();
      if (other) return other.made;
      throw error;
    }
  }

  async many(mayBegin: () => void): Promise<Many> {
    const memory = (await this.#find()) ?? (await this.#begin(mayBegin));
    const known = this.isReplay ? await this.#store.items(this.#attempt, memory) : new Map();
    return {
      known,
      remember: (position) => (made) => [this.#store.rememberItem(this.#attempt, memory, { position, made })],
      recall: (position) => this.#store.item(this.#attempt, memory, position),
    };
  }

  async #begin(mayBegin: () => void): Promise<Memory> {
    mayBegin();
    const begun = (await this.#store.begin(this.#attempt, this.#now)) ?? (await this.#find());
    if (!begun) throw new Error('What a call with this key began was forgotten at once');
    return begun;
  }

  async #find(): Promise<Memory | undefined> {
    const memory = await this.#store.find(this.#attempt, this.#now);
    if (memory) this.isReplay = true;
    return memory;
  }
}

export const retryOf = (store: RetryStore, attempt: Attempt | undefined, now: Date): Retry =>
  attempt ? new RememberedRetry(store, attempt, now) : withoutRetry;

import type { Made, Memory, ResultRecord, retryStore } from './idempotency-store.ts';
import type { Attempt } from './idempotent-call.ts';

/** A call that makes many things, each of them once. */
interface Many {
  /** What earlier calls have made already, by position. */
  readonly known: ReadonlyMap<number, Made>;
  readonly recordOf: (position: number) => ResultRecord | undefined;
  /** What another call has made at a position in the meantime. */
  readonly recall: (position: number) => Promise<Made | undefined>;
}

/** What an endpoint needs so that a client can repeat a call. */
export interface Retry {
  /** Whether an earlier call with the key has made something: the response repeats it. */
  readonly isReplay: boolean;
  /** Makes one thing, or finds what the same call made before. */
  once(make: (record: ResultRecord | undefined) => Promise<Made>): Promise<Made>;
  /** Begins a call that makes many. `mayBegin` throws if a first call is not allowed; a repeated one is. */
  many(mayBegin: () => unknown): Promise<Many>;
}

/** A request without an Idempotency-Key: every call makes something new. */
const withoutRetry: Retry = {
  isReplay: false,
  once: (make) => make(undefined),
  many: async (mayBegin) => {
    mayBegin();
    return { known: new Map(), recordOf: () => undefined, recall: async () => undefined };
  },
};

export const retryOf = (
  store: ReturnType<typeof retryStore>,
  attempt: Attempt | undefined,
  now: Date,
): Retry => {
  if (!attempt) return withoutRetry;
  let isReplay = false;
  const find = async (): Promise<Memory | undefined> => {
    const memory = await store.find(attempt, now);
    isReplay ||= memory !== undefined;
    return memory;
  };
  return {
    get isReplay() {
      return isReplay;
    },

    async once(make) {
      const known = await find();
      if (known) return known.made;
      try {
        return await make({ attempt, now });
      } catch (error) {
        // Another call with the key may have been faster, or the response to our write was lost.
        const other = await find();
        if (other) return other.made;
        throw error;
      }
    },

    async many(mayBegin) {
      let memory = await find();
      if (!memory) mayBegin();
      memory ??= (await store.begin(attempt, now)) ?? (await find());
      if (!memory) throw new Error('What a call with this key began was forgotten at once');
      const items = () => store.items(attempt, memory);
      return {
        known: isReplay ? await items() : new Map(),
        recordOf: (position) => ({ attempt, memory, position }),
        recall: async (position) => (await items()).get(position),
      };
    },
  };
};
